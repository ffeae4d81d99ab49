/** What the dialog holds, and how it becomes a run. Pure. */
import type { NewRun } from "@/api/types";
import { parseVariables, splitWords } from "./command-line";

export interface ScriptDraft {
  line: string;
  /** The program prints the lab's own lines; nothing is captured. */
  speaksProtocol: boolean;
  workdir: string;
  variables: string;
  wandb: "stand-in" | "offline" | "online";
  network: boolean;
  envId: string;
  name: string;
}

export const EMPTY: ScriptDraft = {
  line: "",
  speaksProtocol: false,
  workdir: "",
  variables: "",
  wandb: "stand-in",
  network: false,
  envId: "",
  name: "",
};

/** Why it cannot be checked yet; null when it can. */
export function scriptProblem(draft: ScriptDraft): string | null {
  if (splitWords(draft.line).length === 0) return "Enter the command first.";
  return parseVariables(draft.variables).wrong;
}

export function newRunOfScript(draft: ScriptDraft): NewRun {
  const common = {
    command: splitWords(draft.line),
    workdir: draft.workdir.trim(),
    env: parseVariables(draft.variables).variables,
    network: draft.network || (!draft.speaksProtocol && draft.wandb !== "stand-in"),
  };
  return {
    env_id: draft.envId.trim(),
    runner: draft.speaksProtocol ? "program" : "script",
    algorithm: draft.speaksProtocol ? "protocol" : "python",
    params: draft.speaksProtocol ? common : { ...common, wandb: draft.wandb },
    name: draft.name.trim() || null,
    start: true,
  };
}

/** The same run with another PYTHONPATH. */
export function withPythonPath(wanted: NewRun, path: string): NewRun {
  const params = wanted.params ?? {};
  return { ...wanted, params: { ...params, env: { ...(params.env ?? {}), PYTHONPATH: path } } };
}

/** The lines of the form's field with one variable set, in its place or at the end. */
export function withVariable(lines: string, name: string, value: string): string {
  const others = lines.split("\n").filter((line) => line.trim() && !line.trim().startsWith(`${name}=`));
  return [...others, `${name}=${value}`].join("\n");
}
