import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { TooltipProvider } from "@/ui/Tooltip";
import { PreviewPanel } from "./PreviewPanel";

afterEach(() => vi.unstubAllGlobals());

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });

/** A lab whose first preview fails. */
function lab(runs: (url: string) => Response) {
  let previews = 0;
  vi.stubGlobal("fetch", async ({ url }: Request) => {
    if (!url.includes("/preview")) return runs(url);
    previews++;
    return previews === 1
      ? json({ title: "It failed" }, 409)
      : json({ episodes: [], numbers: {}, problem: null, notes: ["Tried again."] });
  });
}

const shown = () =>
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <TooltipProvider>
        <PreviewPanel source="x" envId="" runId="r1" onLine={() => undefined} />
      </TooltipProvider>
    </QueryClientProvider>,
  );

test("Try asks again for the same text after it failed", async () => {
  const runs = [{ id: "r1", name: "first" }];
  lab((url) => json({ items: url.includes("kind=train") ? runs : [], next_cursor: null }));
  shown();
  fireEvent.click(screen.getByRole("button", { name: "Try" }));
  await waitFor(() => expect(screen.getByText("It failed")).toBeTruthy());
  fireEvent.click(screen.getByRole("button", { name: "Try" }));
  await waitFor(() => expect(screen.getByText("Tried again.")).toBeTruthy());
});

test("runs that could not be loaded do not look like no runs", async () => {
  lab(() => json({ title: "No", detail: "The disk is full." }, 500));
  shown();
  await waitFor(() => expect(screen.getByText(/The trainings could not be loaded\./)).toBeTruthy());
});
