/** Code of the user that this machine cannot confine waits for approval; null when there is none. */
import { ProblemError } from "@/api/problem";
import { isConsentNeeded } from "@/entities/scripts/queries";
import { createStore } from "@/lib/store";

export interface WaitingCode {
  sha256: string;
  /** What the lab said about it. */
  reason: string;
  /** Starts again with this approval; the next code that needs one asks for its own. */
  onApprove: (sha256: string) => void;
}

export const codeConsent = createStore<WaitingCode | null>(null);

/** The hash of saved code that must be approved; null where something else is refused, such as a script. */
export function codeToApprove(error: unknown): string | null {
  if (!(error instanceof ProblemError) || !isConsentNeeded(error)) return null;
  const [sha256] = (error.fieldErrors().consent?.allowed ?? []) as string[];
  return sha256 ?? null;
}
