import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { draftKey, draftKeys, keepDraft } from "@/entities/codes/drafts";
import { OpenedCode } from "./OpenedCode";
import { SaveForm } from "./SaveForm";
import { type CodeDeskState, type OpenedVersion, useCodeDesk } from "./use-code-desk";

const NEW = draftKey("reward", null, null);
const version = { kind: "reward", name: "gentle", version: 1, sha256: "a", source: "x", used_by: 0 };
const code = { kind: "reward", name: "gentle", env_id: "", note: "", versions: [version] };

beforeEach(() => {
  localStorage.clear();
  draftKeys.set([]);
  vi.stubGlobal("fetch", (request: Request) =>
    Promise.resolve(
      new Response(JSON.stringify(request.url.endsWith("/gentle") ? code : [code]), {
        headers: { "content-type": "application/json" },
      }),
    ),
  );
});
afterEach(() => vi.unstubAllGlobals());

let desk: CodeDeskState;
let mounted = 0;

function Desk({ onOpen, ...opened }: OpenedVersion & { onOpen: (next: { name?: string }) => void }) {
  useState(() => ++mounted);
  desk = useCodeDesk({ ...opened, kind: "reward", untitled: "New reward", quietMs: 10_000, onOpen });
  return <p>{desk.title}</p>;
}

function Tab({ client }: { client: QueryClient }) {
  const [name, setName] = useState("new");
  const onOpen = (next: { name?: string }) => setName(next.name ?? "list");
  return (
    <QueryClientProvider client={client}>
      <OpenedCode
        kind="reward"
        name={name}
        version={undefined}
        all="All rewards"
        gone=""
        onOpen={onOpen}
        examples={<p>Examples</p>}
      >
        {(opened) => <Desk {...opened} onOpen={onOpen} />}
      </OpenedCode>
    </QueryClientProvider>
  );
}

test("saving new code opens the saved version and keeps what is shown next to it", async () => {
  const client = new QueryClient();
  client.setQueryData(["codes", "reward", "one", "gentle"], code);
  render(<Tab client={client} />);
  expect(screen.getByText("Examples")).toBeTruthy();
  act(() => keepDraft(NEW, { source: "x", env_id: "" }));
  expect(screen.getByText("New reward")).toBeTruthy();
  const before = mounted;
  act(() => desk.onSaved(version as never));
  await waitFor(() => expect(screen.getByText("gentle@v1")).toBeTruthy());
  expect(mounted).toBe(before);
  expect([draftKeys.get(), desk.draft.isChanged]).toEqual([[], false]);
});

test("discarding new code leads back to the examples, deleting all its text does not", () => {
  render(<Tab client={new QueryClient()} />);
  act(() => keepDraft(NEW, { source: "x", env_id: "" }));
  act(() => desk.draft.setSource(""));
  expect(screen.getByText("New reward")).toBeTruthy();
  act(() => desk.draft.discard());
  expect(screen.getByText("Examples")).toBeTruthy();
});

const REFUSED = {
  type: "urn:rl-lab:invalid-input",
  title: "The input is not valid.",
  detail: "name: choose another word",
  errors: [{ field: "name", message: "choose another word" }],
};

test("after the lab has refused a name, another one can be saved", async () => {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.method === "GET") return Response.json({ name: "gentle", env_id: "", versions: [] });
    const body = await request.json();
    sent.push(body.name);
    return body.name === "new"
      ? Response.json(REFUSED, { status: 422 })
      : Response.json({ name: body.name, version: 1 }, { status: 201 });
  });
  const onSaved = vi.fn();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <SaveForm
        kind="reward"
        source="def reward_function(reward): return reward"
        envId=""
        name={null}
        known={[]}
        onSaved={onSaved}
        onCancel={() => {}}
      />
    </QueryClientProvider>,
  );
  const [field, save] = [screen.getByLabelText("Name"), screen.getByRole("button", { name: "Save" })];
  fireEvent.change(field, { target: { value: "new" } });
  fireEvent.click(save);
  await screen.findByText("choose another word");
  fireEvent.change(field, { target: { value: "gentle" } });
  expect(screen.queryByText("choose another word")).toBeNull();
  fireEvent.click(save);
  await waitFor(() => expect(onSaved).toHaveBeenCalledOnce());
  expect(sent).toEqual(["new", "gentle"]);
});
