import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { draftKey, draftKeys, keepDraft } from "@/entities/codes/drafts";
import { OpenedCode } from "./OpenedCode";
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
