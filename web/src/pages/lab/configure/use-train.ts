/** Starts a training from the lab. */
import { useRouter } from "@tanstack/react-router";
import { ProblemError } from "@/api/problem";
import type { Run } from "@/api/types";
import { useStart } from "@/entities/runs/use-start";
import { isConsentNeeded } from "@/entities/scripts/queries";
import { useStartStudy } from "@/entities/studies/use-start-study";
import { rewardConsent } from "@/panels/reward-consent/dialog";
import { consentDialog } from "@/panels/script-dialog/dialogs";
import { toastNoConnection, toastProblem } from "@/ui/toasts";

/** Several seeds: the page of the study follows. */
export function useTrainStudy(onStarted: () => void) {
  const router = useRouter();
  return useStartStudy(
    (study) => {
      onStarted();
      router.history.push(`/studies/${study.id}`);
    },
    (error) => {
      if (error instanceof ProblemError && error.status === 0) toastNoConnection("started");
      else toastProblem(error);
    },
  );
}

/** Errors of single fields are shown at the fields, all others as a toast. */
export function useTrain(onStarted: (run: Run) => void) {
  return useStart(onStarted, (error, wanted) => {
    if (isConsentNeeded(error)) (wanted.reward ? rewardConsent : consentDialog).set({ wanted, onStarted });
    else if (error instanceof ProblemError && error.status === 0) toastNoConnection("started");
    else if (!(error instanceof ProblemError) || error.problem.errors === null) toastProblem(error);
  });
}
