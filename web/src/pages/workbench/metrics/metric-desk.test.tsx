import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TooltipProvider } from "@/ui/Tooltip";
import { MetricDesk } from "./MetricDesk";

const PREVIEW = JSON.stringify({ series: null, fault: { message: "A number is missing.", column: 6 } });

beforeEach(() => {
  localStorage.clear();
  // Only the preview is answered: runs, metrics and functions stay empty.
  vi.stubGlobal("fetch", (request: Request) =>
    request.url.endsWith("/preview") ? Promise.resolve(new Response(PREVIEW)) : new Promise(() => {}),
  );
});
afterEach(() => vi.unstubAllGlobals());

const open = () =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <TooltipProvider>
        <MetricDesk metric={null} runId="aaaaaaaaaaaa" onOpen={() => {}} />
      </TooltipProvider>
    </QueryClientProvider>,
  );
const type = (value: string) => fireEvent.change(screen.getByLabelText("Expression"), { target: { value } });

test("the caret points into the text that the lab has read, and is gone while another one is typed", async () => {
  open();
  type("   loss +");
  await screen.findByText("A number is missing.");
  expect(document.querySelector("pre")?.textContent).toBe("loss +\n      ^");
  type("   loss + 1 +");
  expect(screen.queryByText("A number is missing.")).toBeNull();
  await screen.findByText("A number is missing.");
  expect(document.querySelector("pre")?.textContent).toBe("loss + 1 +\n      ^");
});

test("a metric that was typed is there again when the desk is opened again", () => {
  const { unmount } = open();
  fireEvent.change(screen.getByLabelText("Name"), { target: { value: "per_step" } });
  unmount();
  open();
  expect((screen.getByLabelText("Name") as HTMLInputElement).value).toBe("per_step");
  fireEvent.click(screen.getByRole("button", { name: "Discard" }));
  expect((screen.getByLabelText("Name") as HTMLInputElement).value).toBe("");
});
