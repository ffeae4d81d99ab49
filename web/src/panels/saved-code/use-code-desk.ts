/** Code that is open: its text, what the check says, and the dialogs that save, rename and delete it. */
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Code, CodeVersion } from "@/api/types";
import { type DraftKey, draftKey } from "@/entities/codes/drafts";
import { codesQuery, type SavedKind } from "@/entities/codes/queries";
import { spellCode } from "@/entities/codes/words";
import type { AskedCode } from "./CodeDialogs";
import { type CodeChecking, useCodeCheck } from "./use-code-check";
import { type CodeDraft, useCodeDraft } from "./use-code-draft";

/** Both null for code that is not saved yet. */
export interface OpenedVersion {
  code: Code | null;
  version: CodeVersion | null;
}

export interface DeskOptions extends OpenedVersion {
  kind: SavedKind;
  /** The title of code that has no name yet: "New reward". */
  untitled: string;
  /** The run whose recorded steps it is tried on. */
  runId?: string | null;
  /** The pause of the keys after which it is tried. */
  quietMs?: number;
  /** Without a name: the list. */
  onOpen: (next: { name?: string; version?: number }) => void;
}

export interface CodeDeskState extends OpenedVersion {
  kind: SavedKind;
  draftKey: DraftKey;
  title: string;
  draft: CodeDraft;
  checking: CodeChecking;
  /** All saved code of this kind. */
  known: UseQueryResult<Code[]>;
  /** The dialog that is open. */
  asked: AskedCode | null;
  ask: (asked: AskedCode | null) => void;
  askSave: () => void;
  /** A new object moves the cursor to its line. */
  jump: { line: number } | null;
  onLine: (line: number) => void;
  onSaved: (saved: CodeVersion) => void;
  onRenamed: (name: string) => void;
  onDeleted: (version: number | null) => void;
  onOpen: DeskOptions["onOpen"];
}

export function useCodeDesk(options: DeskOptions): CodeDeskState {
  const { kind, code, version, untitled, runId, quietMs, onOpen } = options;
  const key = draftKey(kind, code?.name ?? null, version?.version ?? null);
  const saved = code && version ? { source: version.source, env_id: code.env_id } : null;
  const draft = useCodeDraft(key, saved);
  const question = { source: draft.source, env_id: draft.envId, run_ids: runId ? [runId] : [] };
  const checking = useCodeCheck(kind, question, { file: key, quietMs });
  const known = useQuery(codesQuery(kind));
  const [asked, ask] = useState<AskedCode | null>(null);
  const [jump, setJump] = useState<{ line: number } | null>(null);
  return {
    kind,
    code,
    version,
    draftKey: key,
    title: version ? spellCode(version) : untitled,
    draft,
    checking,
    known,
    asked,
    ask,
    askSave: () => ask({ what: "save", source: draft.source, envId: draft.envId, name: code?.name ?? null }),
    jump,
    onLine: (line) => setJump({ line }),
    onSaved: (made) => {
      ask(null);
      draft.settle(draftKey(kind, made.name, made.version));
      onOpen({ name: made.name, version: made.version });
    },
    onRenamed: (name) => onOpen({ name, version: version?.version }),
    onDeleted: (deleted) => {
      if (deleted === null) onOpen({});
      else if (deleted === version?.version) onOpen({ name: code?.name });
    },
    onOpen,
  };
}

/** Why it cannot be saved; null when it can. */
export function whyNotSave({ version, draft }: Pick<CodeDeskState, "version" | "draft">): string | null {
  if (draft.source.trim() === "") return "There is no code yet.";
  return version && !draft.isChanged ? "Nothing has changed since it was saved." : null;
}

/** Why what is saved cannot be used; null when it can. */
export function whyNotUse({
  version,
  draft,
  checking,
}: Pick<CodeDeskState, "version" | "draft" | "checking">) {
  if (!version) return "Save it first.";
  if (draft.isChanged) return "Save your changes first.";
  return checking.check?.is_usable === false ? "It does not work yet; see the check." : null;
}
