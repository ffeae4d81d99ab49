/** Tries the code by itself, a moment after the last key, and at once when asked. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { CodeCheck, CodeQuestion } from "@/api/types";
import { checkQuery, type SavedKind } from "@/entities/codes/queries";

export interface CodeChecking {
  /** Of the text as it is now; null while it is not known. */
  check: CodeCheck | null;
  /** The last known one, of a text that has changed since. */
  stale: CodeCheck | null;
  error: unknown;
  isChecking: boolean;
  /** Without waiting. */
  checkNow: () => void;
  /** This machine cannot confine the code: approves this text. */
  approve: () => void;
}

/** Long enough to finish a word, short enough not to be waited for. */
const QUIET_MS = 500;

export function useCodeCheck(kind: SavedKind, question: CodeQuestion, quietMs = QUIET_MS): CodeChecking {
  const [consent, setConsent] = useState<string | undefined>();
  const tried = consent ? { ...question, consent } : question;
  const [asked, setAsked] = useState<CodeQuestion>(tried);
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
  const known = found.data ?? null;
  const isCurrent = isAsked && !found.isPlaceholderData && !found.isFetching;
  const approve = async () => setConsent(await sha256Of(question.source));
  return {
    check: isCurrent ? known : null,
    stale: isCurrent ? null : known,
    error: isAsked ? found.error : null,
    isChecking: !isAsked || found.isFetching,
    checkNow: () => {
      setAsked(tried);
      if (isAsked) void found.refetch();
    },
    approve: () => void approve(),
  };
}

/** As the lab computes it. Browsers offer this on this machine and over HTTPS only, which is where the lab is used. */
async function sha256Of(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
