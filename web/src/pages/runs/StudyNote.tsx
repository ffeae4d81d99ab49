/** The table shows the runs of one study only. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { studyQuery } from "@/entities/studies/queries";
import { Button } from "@/ui/Button";

export function StudyNote({ studyId, onClear }: { studyId: string; onClear: () => void }) {
  const study = useQuery(studyQuery(studyId));
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-2">
      <span>
        {"Runs of the study "}
        <Link to="/studies/$studyId" params={{ studyId }} className="underline underline-offset-4">
          {study.data?.name ?? studyId}
        </Link>
      </span>
      <Button small onClick={onClear}>
        Show all runs
      </Button>
    </p>
  );
}
