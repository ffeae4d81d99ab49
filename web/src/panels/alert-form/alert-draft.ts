/** What was typed into the form of an alert, and the request it becomes. Pure. */
import type { Alert, AlertRule, NewAlert, RunStatus } from "@/api/types";

export type Comparison = AlertRule["comparison"];
export type ScopeKind = "all" | "run_id" | "env_id" | "tag" | "study_id";

export interface AlertDraft {
  /** The alert that is changed; null for a new one. */
  id: string | null;
  name: string;
  expression: string;
  comparison: Comparison;
  value: string;
  points: string;
  /** How a run must end, several with a comma between them; empty: any end. */
  status: string;
  scope: ScopeKind;
  scopeValue: string;
  command: string;
  isApproved: boolean;
  webhook: string;
}

export const NEW_ALERT: AlertDraft = {
  id: null,
  name: "",
  expression: "",
  comparison: "above",
  value: "",
  points: "1",
  status: "",
  scope: "all",
  scopeValue: "",
  command: "",
  isApproved: false,
  webhook: "",
};

export const COMPARISONS: { value: Comparison; title: string }[] = [
  { value: "above", title: "is above" },
  { value: "at_least", title: "is at least" },
  { value: "below", title: "is below" },
  { value: "at_most", title: "is at most" },
  { value: "rises_by", title: "has risen by" },
  { value: "stalls_for", title: "has had no new maximum for (steps)" },
  { value: "not_a_number", title: "is not a number" },
  { value: "ended", title: "the run has ended" },
];

export const needsValue = ({ comparison }: AlertDraft): boolean =>
  comparison !== "not_a_number" && comparison !== "ended";

/** A saved alert as it would be typed; its command is approved already. */
export function draftOf({ id, name, condition, rule }: Alert): AlertDraft {
  const [scope, scopeValue] = Object.entries(rule.scope ?? {}).find(([, value]) => value) ?? ["all", ""];
  return {
    id,
    name: name === condition ? "" : name,
    expression: rule.expression ?? "",
    comparison: rule.comparison,
    value: rule.value == null ? "" : String(rule.value),
    points: String(rule.points ?? 1),
    status: (rule.statuses ?? []).join(","),
    scope: scope as ScopeKind,
    scopeValue: scopeValue ?? "",
    command: (rule.command ?? []).map(quoted).join(" "),
    isApproved: rule.command != null,
    webhook: rule.webhook ?? "",
  };
}

/** One word as `wordsOf` reads it again. */
const quoted = (word: string): string => {
  if (/^[^\s'"]+$/.test(word)) return word;
  return (
    word
      .split(/(')/)
      .filter(Boolean)
      .map((part) => (part === "'" ? `"'"` : `'${part}'`))
      .join("") || "''"
  );
};

/** The words of a command: quotes keep words together, as in a shell; null while a quote is open. */
export function wordsOf(command: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let quote = "";
  for (const sign of command) {
    if (quote !== "" && sign !== quote) word += sign;
    else if (quote !== "") quote = "";
    else if (sign === "'" || sign === '"') {
      quote = sign;
      word ??= "";
    } else if (/\s/.test(sign)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? "") + sign;
  }
  if (quote !== "") return null;
  return word === null ? words : [...words, word];
}

/** What is wrong, by field; the lab checks everything once more. */
export function problemsIn(draft: AlertDraft): Partial<Record<keyof AlertDraft, string>> {
  const found: Partial<Record<keyof AlertDraft, string>> = {};
  if (needsValue(draft) && draft.value !== "" && !isNumber(draft.value)) found.value = "Must be a number.";
  if (!/^[1-9]\d*$/.test(draft.points.trim())) found.points = "Must be a whole number from 1.";
  if (wordsOf(draft.command) === null) found.command = "A quote is not closed.";
  return found;
}

/** Why it cannot be saved yet; null when it can. */
export function reasonAgainst(draft: AlertDraft): string | null {
  if (Object.keys(problemsIn(draft)).length > 0) return "Correct what is marked first.";
  if (draft.comparison !== "ended" && draft.expression.trim() === "")
    return "Name a metric or write an expression.";
  if (needsValue(draft) && draft.value.trim() === "") return "Say which value it is compared with.";
  if (draft.scope !== "all" && draft.scopeValue.trim() === "") return "Say which runs it watches.";
  if (draft.command.trim() !== "" && !draft.isApproved) return "Approve the command first.";
  return null;
}

export function requestOf(draft: AlertDraft): NewAlert {
  const hasEnded = draft.comparison === "ended";
  const words = wordsOf(draft.command) ?? [];
  return {
    name: draft.name.trim(),
    is_active: true,
    command_approved: draft.isApproved,
    rule: {
      expression: hasEnded ? "" : draft.expression.trim(),
      comparison: draft.comparison,
      value: needsValue(draft) ? Number(draft.value) : null,
      points: hasEnded ? 1 : Number(draft.points),
      statuses: hasEnded && draft.status !== "" ? (draft.status.split(",") as RunStatus[]) : [],
      scope: draft.scope === "all" ? {} : { [draft.scope]: draft.scopeValue.trim() },
      command: words.length > 0 ? words : null,
      webhook: draft.webhook.trim() || null,
    },
  };
}

const isNumber = (text: string): boolean => text.trim() !== "" && Number.isFinite(Number(text));
