import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { SavedProtocol } from "@/api/types";
import { protocolsQuery } from "@/entities/protocols/queries";
import { TooltipProvider } from "@/ui/Tooltip";
import { OpenProtocol } from "./OpenProtocol";
import { NEW_PROTOCOL, requestOf } from "./protocol-draft";

// Environments and evaluation code stay empty.
beforeEach(() => void vi.stubGlobal("fetch", () => new Promise(() => {})));
afterEach(() => vi.unstubAllGlobals());

const version = (number: number) => ({
  ...requestOf({ ...NEW_PROTOCOL, name: "nightly" }),
  seeds: null,
  version: number,
  is_built_in: false,
  created_at: "2026-01-01T00:00:00Z",
});

function open(wanted: number | undefined) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  const saved = { name: "nightly", is_built_in: false, versions: [version(3), version(1)] };
  client.setQueryData(protocolsQuery.queryKey, [saved as unknown as SavedProtocol]);
  const onOpen = vi.fn();
  render(
    <QueryClientProvider client={client}>
      <TooltipProvider>
        <OpenProtocol name="nightly" version={wanted} onOpen={onOpen} />
      </TooltipProvider>
    </QueryClientProvider>,
  );
  return onOpen;
}

test("a version that was deleted is not replaced by the newest one without a word", () => {
  const onOpen = open(2);
  expect(screen.getByText("There is no nightly@v2")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Open its newest version" }));
  expect(onOpen).toHaveBeenCalledWith({ protocol: "nightly" });
});

test.each([
  [undefined, "nightly@v3"],
  [1, "nightly@v1"],
])("version %s opens %s", (wanted, title) => {
  open(wanted);
  expect(screen.getByRole("heading", { name: title })).toBeTruthy();
});
