import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { BrowserSession } from "@/api/types";
import { keys } from "@/entities/query-keys";
import { TooltipProvider } from "@/ui/Tooltip";
import { BrowsersPanel } from "./BrowsersPanel";

afterEach(() => vi.unstubAllGlobals());

const session = (changes: Partial<BrowserSession>): BrowserSession => ({
  id: "aaaaaaaaaaaa",
  browser: "Firefox 142",
  system: "Linux",
  address: "127.0.0.1",
  created_at: "2026-01-01T10:00:00Z",
  last_seen_at: "2026-01-02T10:00:00Z",
  ends_at: "2026-01-09T10:00:00Z",
  is_current: true,
  ...changes,
});

function show(...sessions: BrowserSession[]) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(keys.sessions, sessions);
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (request: Request | string, options?: RequestInit) => {
    const { method = "GET", url } = typeof request === "string" ? { ...options, url: request } : request;
    asked.push(`${method} ${new URL(url, "http://lab").pathname}`);
    return new Response(JSON.stringify(method === "GET" ? sessions : []), {
      headers: { "Content-Type": "application/json" },
    });
  });
  render(
    <QueryClientProvider client={client}>
      <TooltipProvider>
        <BrowsersPanel />
      </TooltipProvider>
    </QueryClientProvider>,
  );
  return asked;
}

const OTHER = session({ id: "bbbbbbbbbbbb", browser: "Safari 18", system: "iPhone", is_current: false });

test("each browser is listed in words, and this one is marked", () => {
  show(session({}), OTHER);
  const [own, other] = screen.getAllByRole("listitem");
  expect(own!.textContent).toContain("Firefox 142 on Linux");
  expect(own!.textContent).toContain("this one");
  expect(other!.textContent).toContain("Safari 18 on iPhone");
  expect(other!.textContent).not.toContain("this one");
});

test.each([
  ["End the session of Safari 18 on iPhone", "DELETE /api/sessions/bbbbbbbbbbbb"],
  ["End all others", "DELETE /api/sessions"],
  ["Sign out this browser", "DELETE /api/session"],
])("%s asks for %s", async (name, request) => {
  const asked = show(session({}), OTHER);
  fireEvent.click(screen.getByRole("button", { name }));
  await vi.waitFor(() => expect(asked).toContain(request));
});

test("without another browser there is nothing to end, and the reason is given", () => {
  show(session({}));
  expect(screen.getByRole("button", { name: "End all others" }).getAttribute("aria-disabled")).toBe("true");
});
