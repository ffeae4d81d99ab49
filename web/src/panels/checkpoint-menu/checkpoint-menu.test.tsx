import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { Artifact, CheckpointItem, Run } from "@/api/types";
import { type CheckpointSubject, subjectOfFile, subjectOfItem } from "@/entities/checkpoints/subject";
import { tagsFrom } from "@/entities/checkpoints/tags";
import { CheckpointMenu } from "./CheckpointMenu";
import { marksDialog } from "./dialog";
import MarksDialog from "./MarksDialog";

// Some actions open another page, and there is no router here.
vi.mock("@tanstack/react-router", () => ({ useNavigate: () => () => undefined }));

afterEach(() => {
  marksDialog.set(null);
  vi.unstubAllGlobals();
});

const ITEM = {
  id: "c7",
  run_id: "r1",
  run_name: "lander",
  run_status: "stopped",
  algorithm: "ppo",
  env_id: "LunarLander-v3",
  timestep: 40_000,
  role: "interval",
  score: null,
  pinned: false,
  tags: ["good"],
  note: "",
  is_playable: true,
} as unknown as CheckpointItem;
const RUN = {
  id: "r1",
  name: "lander",
  kind: "train",
  status: "stopped",
  allowed: ["resume"],
  progress: { timestep: 40_000 },
  config: { kind: "train", algorithm: "ppo", env_id: "LunarLander-v3" },
} as unknown as Run;
const FILE = {
  id: "c7",
  run_id: "r1",
  timestep: 40_000,
  role: "interval",
  score: 180,
} as unknown as Artifact;

function show(subject: CheckpointSubject, shown?: "checkpoint" | "run") {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <CheckpointMenu subject={subject} shown={shown} trigger={<button type="button">Actions</button>} />
      <MarksDialog />
    </QueryClientProvider>,
  );
  fireEvent.keyDown(screen.getByRole("button", { name: "Actions" }), { key: "Enter" });
  return screen.getAllByRole("menuitem");
}

const EVERYWHERE = [
  "Test it: 5 episodes",
  "Evaluate it: 20 episodes, fresh seeds",
  "Deploy: act live",
  "Resume its run from here…",
  "Fine-tune from here…",
  "Name it…",
  "Tags and note…",
  "Pin: never removed automatically",
  "Download the file",
  "Download package (zip)",
  "Push to the Hub…",
  "Copy r1@40000",
  "Delete…",
];

test("a row of the list and a file of a run have the same actions", () => {
  const fromItem = show(subjectOfItem(ITEM)).map((item) => item.textContent);
  expect(fromItem).toEqual(["Open", "Open its run", ...EVERYWHERE]);
  expect(subjectOfItem(ITEM)).toMatchObject({ ...subjectOfFile(RUN, FILE), score: null, tags: ["good"] });
});

test("what is shown already is not offered to be opened", () => {
  expect(show(subjectOfFile(RUN, FILE), "run").map((item) => item.textContent)).toEqual([
    "Open",
    ...EVERYWHERE,
  ]);
});

test("an action that is not possible says why", () => {
  const items = show(subjectOfItem({ ...ITEM, run_status: "succeeded", is_playable: false }));
  const reasonOf = (title: string) => items.find((item) => item.textContent === title)?.title;
  expect(reasonOf("Resume its run from here…")).toContain("Train it longer");
  expect(reasonOf("Push to the Hub…")).toBe("The lab cannot act with this checkpoint.");
  expect(reasonOf("Download the file")).toBe("");
  expect(subjectOfItem({ ...ITEM, run_status: "running" }).whyNotResume).toContain("stop it first");
  expect(subjectOfFile({ ...RUN, allowed: [] }, FILE).whyNotResume).toContain("cannot resume");
});

test("tags and a note that are refused stay in the dialog with the reason", async () => {
  const refused = { status: 422, title: "x", detail: "A note has at most 4,000 characters." };
  vi.stubGlobal(
    "fetch",
    vi.fn(async () => new Response(JSON.stringify(refused), { status: 422 })),
  );
  const items = show(subjectOfItem(ITEM));
  fireEvent.click(items.find((item) => item.textContent === "Tags and note…")!);
  const note = await screen.findByLabelText("Note");
  expect(screen.getByLabelText<HTMLInputElement>("Tags, separated by commas").value).toBe("good");
  fireEvent.change(note, { target: { value: "lands softly" } });
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(screen.getByRole("alert").textContent).toContain("at most 4,000"));
  expect(screen.getByLabelText<HTMLTextAreaElement>("Note").value).toBe("lands softly");
});

test("tags are separated by commas, each once", () => {
  expect(tagsFrom(" good, late ,, good")).toEqual(["good", "late"]);
});
