/** AGAIN: the run's settings in the form, or its command in the dialog of scripts. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Run } from "@/api/types";
import { runnersQuery } from "@/entities/runners/queries";
import { formSearch } from "@/entities/runs/form-link";
import { scriptOf } from "@/entities/runs/words";
import { openScript } from "@/panels/script-dialog/again";
import { Button } from "@/ui/Button";

export function AgainButton({ run }: { run: Run }) {
  const navigate = useNavigate();
  const runners = useQuery(runnersQuery);
  const isScript = scriptOf(run) !== null && !run.source;
  const search = runners.data ? formSearch(run, runners.data) : null;
  const again = () => {
    if (isScript) openScript(run);
    else if (search) void navigate({ to: "/", search });
  };
  return (
    <Button
      small
      icon="reset"
      title="Opens the form with the settings of this run"
      reason={isScript || search || runners.isPending ? null : whyNotAgain(run)}
      onClick={again}
    >
      Again
    </Button>
  );
}

const whyNotAgain = (run: Run): string =>
  run.source
    ? "An adopted run was trained elsewhere; the lab cannot repeat it."
    : "This lab no longer has the runner or algorithm of this run.";
