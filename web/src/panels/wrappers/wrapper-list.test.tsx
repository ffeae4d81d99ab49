import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { TooltipProvider } from "@/ui/Tooltip";
import type { Errors, Wrapper } from "./chosen";
import { WrapperList } from "./WrapperList";

afterEach(() => vi.unstubAllGlobals());

const KNOWN = [
  { id: "flatten", title: "Flatten", description: "", params_schema: { properties: {} } },
  {
    id: "custom",
    title: "Custom",
    description: "",
    params_schema: { properties: { code: { type: "string" } } },
  },
];
const CODES = [{ name: "twice", versions: [{ name: "twice", version: 1 }] }];
const fine = (path: string) => Response.json(path === "/api/wrappers" ? KNOWN : CODES);

function List({ first, errors }: { first: Wrapper[]; errors: Errors }) {
  const [wrappers, setWrappers] = useState(first);
  return (
    <>
      <WrapperList wrappers={wrappers} errors={errors} onChange={setWrappers} />
      <output>{JSON.stringify(wrappers)}</output>
    </>
  );
}

function open(first: Wrapper[], errors: Record<string, string> = {}, answerTo = fine) {
  vi.stubGlobal("fetch", async (request: Request) => answerTo(new URL(request.url).pathname));
  const messages = Object.entries(errors).map(([field, message]) => [
    field,
    { field, message, allowed: null },
  ]);
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <TooltipProvider>
        <List first={first} errors={Object.fromEntries(messages)} />
      </TooltipProvider>
    </QueryClientProvider>,
  );
}

test("a message about the whole list is above it", () => {
  open([{ id: "flatten" }], { "env_kwargs.wrappers": "There is no environment “grit”.", seed: "no" });
  expect(screen.getAllByRole("alert").map(({ textContent }) => textContent)).toEqual([
    "There is no environment “grit”.",
  ]);
});

test("after the last wrapper is removed, the focus is on the list that adds one", async () => {
  open([{ id: "flatten" }]);
  fireEvent.click(await screen.findByRole("button", { name: "Remove Flatten" }));
  expect(screen.getByRole("status").textContent).toBe("[]");
  expect(document.activeElement).toBe(screen.getByLabelText("Add a wrapper"));
});

test("the code of a custom wrapper is chosen from what is saved", async () => {
  open([{ id: "custom" }]);
  await screen.findByRole("option", { name: "twice@v1" });
  fireEvent.change(screen.getByLabelText("Code of the wrapper"), { target: { value: "twice@v1" } });
  expect(screen.getByRole("status").textContent).toBe('[{"code":"twice@v1","id":"custom"}]');
});

test("lists that could not be loaded do not look empty", async () => {
  open([{ id: "custom" }], {}, () => Response.json({ detail: "The disk is full." }, { status: 500 }));
  await screen.findByText(/The wrappers could not be loaded/);
  await screen.findByText(/The saved code could not be loaded/);
});
