/** Runs the bench, after the user has approved each reward that this machine cannot confine. */
import { ProblemError } from "@/api/problem";
import type { BenchRequest, CodeVersion } from "@/api/types";
import { type Bench, useBench } from "@/entities/bench/use-bench";
import { spellCode } from "@/entities/codes/words";
import { codeConsent, codeToApprove, type ShownCode } from "@/panels/code-consent/dialog";

/** `known`: the saved versions that a request may name. */
export function useApprovedBench(known: readonly CodeVersion[]): Bench {
  const bench = useBench((error, request) => {
    const sha256 = codeToApprove(error);
    if (sha256 === null || !(error instanceof ProblemError)) return;
    codeConsent.set({
      sha256,
      reason: error.problem.detail,
      action: "try it",
      code: codeWith(sha256, request, known),
      onApprove: () => bench.start({ ...request, consents: [sha256] }),
    });
  });
  return bench;
}

/** A saved version, or else the text that the request carries: it has no hash here, and there is only one. */
export function codeWith(
  sha256: string,
  { rewards }: BenchRequest,
  known: readonly CodeVersion[],
): ShownCode | undefined {
  const saved = known.find((one) => one.sha256 === sha256);
  if (saved) return { title: spellCode(saved), source: saved.source };
  const typed = rewards.find(({ source }) => source != null);
  return typed && { title: typed.name ?? "unsaved", source: typed.source ?? "" };
}
