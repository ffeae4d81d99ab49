/** Starts a training from the lab, after the user has approved code that needs it. */
import { useRouter } from "@tanstack/react-router";
import { ProblemError } from "@/api/problem";
import type { NewRun, Run } from "@/api/types";
import { useStart } from "@/entities/runs/use-start";
import { isConsentNeeded } from "@/entities/scripts/queries";
import { useStartStudy } from "@/entities/studies/use-start-study";
import { codeConsent, codeToApprove } from "@/panels/code-consent/dialog";
import { consentDialog } from "@/panels/script-dialog/dialogs";
import { toast, toastNoConnection, toastProblem } from "@/ui/toasts";

/** Several seeds: the page of the study follows. */
export function useTrainStudy(onStarted: () => void) {
  const router = useRouter();
  const study = useStartStudy(
    (made) => {
      onStarted();
      router.history.push(`/studies/${made.id}`);
    },
    (error, { run, seeds }) => {
      const startWith = (consent: string) => study.mutate({ run: { ...run, consent }, seeds });
      if (!asksFor(error, run, startWith)) toastStart(error);
    },
  );
  return study;
}

/** Errors of single fields are shown in the form, where they may be scrolled out of view; all others as a toast. */
export function useTrain(onStarted: (run: Run) => void) {
  const train = useStart(onStarted, (error, wanted) => {
    const startWith = (consent: string) => train.mutate({ ...wanted, consent });
    if (asksFor(error, wanted, startWith)) return;
    const isMarked = error instanceof ProblemError && error.problem.errors !== null;
    if (isMarked) toast("Nothing was started. Correct what the form marks.", { tone: "warn" });
    else toastStart(error);
  });
  return train;
}

/** Opens the dialog for what must be approved first: saved code of the user, or the command of a script. */
function asksFor(error: unknown, wanted: NewRun, startWith: (consent: string) => void): boolean {
  if (!(error instanceof ProblemError) || !isConsentNeeded(error)) return false;
  const sha256 = codeToApprove(error);
  // An approval belongs to one code: the next one is asked for without it.
  const { consent: _, ...asked } = wanted;
  if (sha256)
    codeConsent.set({ sha256, reason: error.problem.detail, action: "train", onApprove: startWith });
  else consentDialog.set({ wanted: asked, onApprove: startWith });
  return true;
}

function toastStart(error: unknown): void {
  if (error instanceof ProblemError && error.status === 0) toastNoConnection("started");
  else toastProblem(error);
}
