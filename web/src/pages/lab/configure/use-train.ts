/** Starts a training from the lab. */
import { ProblemError } from "@/api/problem";
import type { Run } from "@/api/types";
import { useStart } from "@/entities/runs/use-start";
import { isConsentNeeded } from "@/entities/scripts/queries";
import { consentDialog } from "@/panels/script-dialog/dialogs";
import { toastNoConnection, toastProblem } from "@/ui/toasts";

/** Errors of single fields are shown at the fields, all others as a toast. */
export function useTrain(onStarted: (run: Run) => void) {
  return useStart(onStarted, (error, wanted) => {
    if (isConsentNeeded(error)) consentDialog.set({ wanted, onStarted });
    else if (error instanceof ProblemError && error.status === 0) toastNoConnection("started");
    else if (!(error instanceof ProblemError) || error.problem.errors === null) toastProblem(error);
  });
}
