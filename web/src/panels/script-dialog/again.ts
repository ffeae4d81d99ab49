/** The dialog with a run's command in it, to change and run again. */
import type { Run } from "@/api/types";
import { trainConfigOf } from "@/entities/runs/words";
import { joinWords } from "./command-line";
import { openScriptDialog } from "./dialogs";
import { EMPTY, type ScriptDraft } from "./draft";

export function openScript(run: Run): void {
  openScriptDialog(draftOf(run));
}

export function draftOf(run: Run): ScriptDraft {
  const config = trainConfigOf(run);
  const params = (config?.params ?? {}) as Partial<ScriptParams>;
  return {
    ...EMPTY,
    line: joinWords(params.command ?? []),
    speaksProtocol: config?.runner === "program",
    workdir: params.workdir ?? "",
    variables: Object.entries(params.env ?? {})
      .map(([name, value]) => `${name}=${value}`)
      .join("\n"),
    wandb: params.wandb ?? "stand-in",
    network: params.network ?? false,
  };
}

interface ScriptParams {
  command: string[];
  workdir: string;
  env: Record<string, string>;
  wandb: ScriptDraft["wandb"];
  network: boolean;
}
