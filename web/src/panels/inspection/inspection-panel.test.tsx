import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { TooltipProvider } from "@/ui/Tooltip";
import InspectionPanel from "./InspectionPanel";

afterEach(() => vi.unstubAllGlobals());

it("gives up the request when the page is left, so that the lab ends the computation", async () => {
  const asked: Request[] = [];
  vi.stubGlobal("fetch", (request: Request) => {
    asked.push(request);
    return new Promise(() => {});
  });
  const { unmount } = render(
    <QueryClientProvider client={new QueryClient()}>
      <TooltipProvider>
        <InspectionPanel checkpointId="c1" />
      </TooltipProvider>
    </QueryClientProvider>,
  );
  expect(asked).toHaveLength(0);
  fireEvent.click(screen.getByRole("button", { name: /compute/i }));
  await waitFor(() => expect(asked).toHaveLength(1));
  expect(asked[0]!.signal.aborted).toBe(false);
  unmount();
  expect(asked[0]!.signal.aborted).toBe(true);
});
