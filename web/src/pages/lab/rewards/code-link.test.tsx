import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from "@tanstack/react-router";
import { render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { CodeLink } from "./CodeLink";

afterEach(() => vi.unstubAllGlobals());

const HASH = "a".repeat(64);
const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });

/** A lab that has saved gentle@v2. */
function draw(chosen: string) {
  const versions = [{ name: "gentle", version: 2, sha256: HASH }];
  vi.stubGlobal("fetch", async () => Response.json([{ name: "gentle", versions }]));
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterContextProvider router={router as never}>
        <CodeLink chosen={chosen} className="" />
      </RouterContextProvider>
    </QueryClientProvider>,
  );
}

test("a reward that was deleted has no link, and the next step instead", async () => {
  draw("gone@v1");
  await screen.findByText(/^gone@v1 was deleted\. Choose another reward/);
  expect(screen.queryByRole("link")).toBeNull();
});

test("where the run keeps a copy, the training can still start", async () => {
  draw(`gone@v1@${"f".repeat(64)}`);
  await screen.findByText(/a new training uses the copy of its run/);
});

test("a reward that was renamed is opened under its new name", async () => {
  draw(`older@v2@${HASH}`);
  await vi.waitFor(() =>
    expect(screen.getByRole("link", { name: "Open its code" }).getAttribute("href")).toContain("name=gentle"),
  );
});
