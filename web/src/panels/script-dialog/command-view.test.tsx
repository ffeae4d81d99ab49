import { render, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { CommandPreview } from "@/api/types";
import { CommandView } from "./CommandView";

const preview = {
  command: {
    argv: ["/p/.venv/bin/python", "/p/train.py"],
    shown: ["/p/.venv/bin/python", "/p/train.py"],
    cwd: "/lab/runs/new-run/files",
    env: {},
    script: "/p/train.py",
    reads: ["/p"],
    writes: [],
    network: false,
  },
  interpreter: null,
  sha256: "0".repeat(64),
  is_consented: false,
  modules: Array.from({ length: 14 }, (_, index) => `part${index}.py`),
  added: ["/home/me/.ssh"],
  changes: ["part3.py has changed."],
  isolation: "confined",
  isolation_note: "",
  runs_as: "me",
  variables: [],
  threads: null,
  not_captured: [],
  problems: [],
} as CommandPreview;

test("the folders that an interpreter adds, the covered files and the changes are shown", () => {
  render(<CommandView preview={preview} />);
  screen.getByText("/home/me/.ssh");
  screen.getByText("because the interpreter adds it");
  screen.getByText("train.py");
  screen.getByText("and 3 more");
  const changes = screen.getByRole("region", { name: "Changed since you approved it" });
  within(changes).getByText("part3.py has changed.");
});

test("a script without modules and without added folders has no rows for them", () => {
  render(<CommandView preview={{ ...preview, modules: [], added: [], changes: [] }} />);
  expect(screen.queryByText("Also reads")).toBeNull();
  screen.getByText(/^as it is now; other files/);
  expect(screen.queryByRole("region", { name: "Changed since you approved it" })).toBeNull();
});
