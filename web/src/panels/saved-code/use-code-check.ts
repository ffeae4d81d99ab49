/** Tries the code by itself, a moment after the last key, and at once when asked. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { CodeCheck, CodeQuestion, CodeRemark } from "@/api/types";
import { checkQuery, type SavedKind } from "@/entities/codes/queries";
import { codeToApprove } from "@/panels/code-consent/dialog";

export interface CodeChecking {
  /** Of the text as it is now; null while it is not known. */
  check: CodeCheck | null;
  /** The last known one, of another text or other steps. */
  stale: CodeCheck | null;
  /** At lines of the text as it is now; null while they are not known. */
  remarks: readonly CodeRemark[] | null;
  error: unknown;
  /** There is nothing to check. */
  isEmpty: boolean;
  isChecking: boolean;
  /** Without waiting. */
  checkNow: () => void;
  /** This machine cannot confine the code: approves this text. Null where that is no question. */
  approve: (() => void) | null;
}

const NONE: readonly CodeRemark[] = [];
/** Long enough to finish a word, short enough not to be waited for. */
const QUIET_MS = 500;

export interface CheckOptions {
  /** Which text is open: another one is tried at once. */
  file: string;
  /** The pause of the keys after which it is tried. */
  quietMs?: number;
}

export function useCodeCheck(kind: SavedKind, question: CodeQuestion, options: CheckOptions): CodeChecking {
  const { file, quietMs = QUIET_MS } = options;
  const [consent, setConsent] = useState<string | undefined>();
  const tried = consent ? { ...question, consent } : question;
  const [asked, setAsked] = useState<CodeQuestion>(tried);
  const [askedFile, setAskedFile] = useState(file);
  if (askedFile !== file) {
    setAskedFile(file);
    setAsked(tried);
  }
  const isAsked = JSON.stringify(asked) === JSON.stringify(tried);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text of what is tried decides
  useEffect(() => {
    if (isAsked) return;
    const timer = setTimeout(() => setAsked(tried), quietMs);
    return () => clearTimeout(timer);
  }, [JSON.stringify(tried), isAsked]);
  const found = useQuery({
    ...checkQuery(kind, asked),
    enabled: asked.source.trim() !== "",
    placeholderData: (before) => before,
  });
  const isEmpty = question.source.trim() === "";
  const known = isEmpty ? null : (found.data ?? null);
  const check = known?.check ?? null;
  const isCurrent = isAsked && !found.isPlaceholderData && !found.isFetching;
  const error = isAsked && !isEmpty ? found.error : null;
  // The lab names the hash: over plain HTTP from another machine, a browser cannot compute it.
  const hash = codeToApprove(error);
  return {
    check: isCurrent ? check : null,
    stale: isCurrent ? null : check,
    remarks: isEmpty ? NONE : known?.source === question.source ? known.check.remarks : null,
    error,
    isEmpty,
    isChecking: !isEmpty && (!isAsked || found.isFetching),
    checkNow: () => {
      setAsked(tried);
      if (isAsked) void found.refetch();
    },
    approve: hash === null ? null : () => setConsent(hash),
  };
}
