import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { FiringsList } from "./FiringsList";

afterEach(() => vi.unstubAllGlobals());

function open(answer: Response) {
  vi.stubGlobal("fetch", async () => answer);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return render(
    <QueryClientProvider client={client}>
      <FiringsList />
    </QueryClientProvider>,
  );
}

test("firings that could not be loaded are an error, not an empty list", async () => {
  open(Response.json({ title: "Broken", detail: "The disk is full." }, { status: 500 }));
  expect(await screen.findByText("The disk is full.")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Try again" })).toBeTruthy();
});

test("without firings there is no list", async () => {
  const { container } = open(Response.json([]));
  await vi.waitFor(() => expect(container.innerHTML).toBe(""));
});
