import { expect, test } from "vitest";
import type { Alert } from "@/api/types";
import {
  type AlertDraft,
  draftOf,
  NEW_ALERT,
  problemsIn,
  reasonAgainst,
  requestOf,
  wordsOf,
} from "./alert-draft";

const draft = (more: Partial<AlertDraft>): AlertDraft => ({
  ...NEW_ALERT,
  expression: "reward",
  value: "400",
  ...more,
});

test("a command is split into words, and quotes keep words together", () => {
  expect(wordsOf("notify-send 'RL Lab' \"it's good\"")).toEqual(["notify-send", "RL Lab", "it's good"]);
  expect(wordsOf("a''b  c ''")).toEqual(["ab", "c", ""]);
  expect(wordsOf("say 'open")).toBeNull();
  expect(wordsOf("  ")).toEqual([]);
});

test("a draft becomes a request", () => {
  const { rule, command_approved } = requestOf(
    draft({ scope: "env_id", scopeValue: "CartPole-v1", command: "say hi", isApproved: true, points: "3" }),
  );
  expect(command_approved).toBe(true);
  expect(rule).toEqual({
    expression: "reward",
    comparison: "above",
    value: 400,
    points: 3,
    statuses: [],
    scope: { env_id: "CartPole-v1" },
    command: ["say", "hi"],
    webhook: null,
  });
});

test.each([
  draft({ name: "good", scope: "tag", scopeValue: "x", points: "3", webhook: "http://127.0.0.1:9000/" }),
  draft({ command: `say "it's" 'two words' ''`, isApproved: true }),
  draft({ comparison: "ended", expression: "", value: "", status: "failed,stopped" }),
  draft({ comparison: "not_a_number", value: "" }),
])("a saved alert is edited as it was typed", (typed) => {
  const { rule, name } = requestOf(typed);
  const saved: Alert = {
    id: "1",
    name: name || "the condition",
    condition: "the condition",
    rule,
    is_active: true,
    firings: 0,
    created_at: "",
    updated_at: "",
  };
  const opened = draftOf(saved);
  expect(opened.id).toBe("1");
  expect(requestOf(opened)).toEqual(requestOf(typed));
});

test("the end of a run has neither metric nor value", () => {
  const { rule } = requestOf(draft({ comparison: "ended", status: "failed", points: "9" }));
  expect([rule.expression, rule.value, rule.points, rule.statuses]).toEqual(["", null, 1, ["failed"]]);
  expect(reasonAgainst(draft({ comparison: "ended", expression: "", value: "" }))).toBeNull();
});

test("what is missing or wrong keeps it from being saved", () => {
  expect(reasonAgainst(draft({}))).toBeNull();
  expect(reasonAgainst(draft({ expression: " " }))).toMatch("Name a metric");
  expect(reasonAgainst(draft({ value: "" }))).toMatch("which value");
  expect(reasonAgainst(draft({ scope: "tag" }))).toMatch("which runs");
  expect(reasonAgainst(draft({ command: "rm x" }))).toMatch("Approve");
  expect(problemsIn(draft({ value: "much", points: "0", command: "'" }))).toEqual({
    value: "Must be a number.",
    points: "Must be a whole number from 1.",
    command: "A quote is not closed.",
  });
});
