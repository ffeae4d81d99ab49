import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { problemFrom } from "@/api/problem";
import type { CodeCheck } from "@/api/types";
import type { SavedKind } from "@/entities/codes/queries";
import { CheckPanel } from "./CheckPanel";
import { LineDiff } from "./LineDiff";
import type { CodeChecking } from "./use-code-check";

const usable: CodeCheck = {
  is_usable: true,
  remarks: [],
  calls: 1000,
  calls_per_second: 250_000,
  slowdown: 0.04,
  terms: ["speed", "fuel"],
  takes: ["obs", "reward"],
  isolation: "confined",
  environment: null,
};
const checking = (change: Partial<CodeChecking>): CodeChecking => ({
  check: null,
  stale: null,
  remarks: change.check?.remarks ?? null,
  error: null,
  isEmpty: false,
  isChecking: false,
  checkNow: () => undefined,
  approve: null,
  ...change,
});
const shown = (change: Partial<CodeChecking>, onLine = vi.fn(), kind: SavedKind = "reward") =>
  render(
    <CheckPanel kind={kind} checking={checking(change)} triedOn="steps of CartPole-v1" onLine={onLine} />,
  );

test("a reward that works shows its cost, terms and isolation", () => {
  shown({ check: usable });
  for (const text of [
    "It works.",
    "Compared with the environment’s own steps it costs about 4 % of the speed.",
    "speed",
    "confined",
  ])
    expect(screen.getByText(text)).toBeTruthy();
  expect(screen.getByText("1,000 steps of CartPole-v1")).toBeTruthy();
});

test("an error leads to its line", () => {
  const onLine = vi.fn();
  const remarks = [{ line: 7, level: "error", message: "Unknown name spede." }] as const;
  shown({ check: { ...usable, is_usable: false, calls: 0, remarks: [...remarks] } }, onLine);
  fireEvent.click(screen.getByRole("button", { name: "line 7" }));
  expect(onLine).toHaveBeenCalledWith(7);
});

test("the lines of an older text lead nowhere", () => {
  const remarks = [{ line: 7, level: "error", message: "Unknown name spede." }] as const;
  shown({ stale: { ...usable, is_usable: false, remarks: [...remarks] }, isChecking: true });
  expect(screen.getByText("line 7")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "line 7" })).toBeNull();
});

test("an environment shows its isolation, and its speed in steps", () => {
  shown(
    { check: { ...usable, calls: 0, calls_per_second: 9000, isolation: "none", takes: [], terms: [] } },
    vi.fn(),
    "environment",
  );
  expect(screen.getByText("not isolated")).toBeTruthy();
  expect(screen.getByText(/steps\/s$/)).toBeTruthy();
});

test("code that was never called does not count as working", () => {
  shown({ check: { ...usable, calls: 0, calls_per_second: null, slowdown: null } });
  expect(screen.getByText("Its syntax is right. It was not run.")).toBeTruthy();
  expect(screen.queryByText("It works.")).toBeNull();
  expect(screen.queryByText("confined")).toBeNull();
});

test("an empty text is not being checked", () => {
  shown({ isEmpty: true, remarks: [] });
  expect(screen.getByText("There is no code to check yet.")).toBeTruthy();
  expect(screen.queryByText("Checking the code")).toBeNull();
});

test("a machine that cannot confine code asks first", () => {
  const approve = vi.fn();
  shown({ error: problemFrom(428, { type: "urn:rl-lab:consent-needed" }), approve });
  fireEvent.click(screen.getByRole("button", { name: "Run this text anyway" }));
  expect(approve).toHaveBeenCalled();
});

test("a difference names what was added and removed", () => {
  render(<LineDiff before={"a\nb"} after={"a\nc"} label="What differs" />);
  const text = screen.getByRole("region", { name: "What differs" }).textContent;
  expect(text).toContain("removed: b");
  expect(text).toContain("added: c");
});
