import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { TooltipProvider } from "@/ui/Tooltip";
import { AlertsList } from "./AlertsList";

afterEach(() => vi.unstubAllGlobals());

test("a long name of an alert wraps instead of being cut", async () => {
  const name = "The return of the LunarLander runs fell below what the last release had";
  const rule = { condition: { kind: "end" }, scope: {}, notify: true };
  const alert = { id: "a", name, condition: "return < 200", rule, is_active: true, firings: 0 };
  vi.stubGlobal("fetch", async () => Response.json([alert]));
  render(
    <QueryClientProvider client={new QueryClient()}>
      <TooltipProvider>
        <AlertsList />
      </TooltipProvider>
    </QueryClientProvider>,
  );
  const drawn = await screen.findByText(name);
  expect(drawn.className).not.toContain("truncate");
  expect(drawn.className).toContain("wrap-anywhere");
});
