/** Code of the user that this machine cannot confine waits for approval; null when there is none. */
import { useEffect } from "react";
import { ProblemError } from "@/api/problem";
import { isConsentNeeded } from "@/entities/scripts/queries";
import { createStore, useStore } from "@/lib/store";

/** Code as the user reads it before the approval. */
export interface ShownCode {
  title: string;
  source: string;
}

export interface WaitingCode {
  sha256: string;
  /** What the lab reported about it. */
  reason: string;
  /** What the approval starts: "train". */
  action: string;
  /** Code that may not be saved; without it, the saved version with this hash is shown. */
  code?: ShownCode;
  /** Starts again with this approval; the next code that needs one asks for its own. */
  onApprove: (sha256: string) => void;
}

export const codeConsent = createStore<WaitingCode | null>(null);

/** Whether the dialog is to be drawn. A page that is left takes its question along: no other page would start it. */
export function useWaitingCode(): boolean {
  useEffect(() => () => codeConsent.set(null), []);
  return useStore(codeConsent) !== null;
}

/** The hash of saved code that must be approved; null where something else is refused, such as a script. */
export function codeToApprove(error: unknown): string | null {
  if (!(error instanceof ProblemError) || !isConsentNeeded(error)) return null;
  const [sha256] = (error.fieldErrors().consent?.allowed ?? []) as string[];
  return sha256 ?? null;
}
