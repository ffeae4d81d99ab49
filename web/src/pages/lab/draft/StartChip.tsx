/** Which weights the next run starts with; removed, it starts from nothing. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { artifactsQuery } from "@/entities/artifacts/queries";
import { readStart } from "@/entities/runs/form-link";
import { runQuery } from "@/entities/runs/queries";
import { formatCount } from "@/lib/format";
import { IconButton } from "@/ui/Button";

export interface StartChipProps {
  /** As a link spells it. */
  start: string;
  error?: string;
  onRemove: () => void;
}

export default function StartChip({ start, error, onRemove }: StartChipProps) {
  const { run_id: runId, checkpoint } = readStart(start);
  const run = useQuery(runQuery(runId));
  const files = useQuery({ ...artifactsQuery(runId), enabled: run.isSuccess && !!checkpoint });
  const step = files.data?.find(({ id }) => id === checkpoint)?.timestep;
  const which = checkpoint ? (step == null ? "" : ` at step ${formatCount(step)}`) : ", its best checkpoint";
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-center gap-2 rounded-sm border border-line-strong bg-sunken py-1 pr-1 pl-2.5 text-xs">
        <p className="min-w-0 flex-1 break-words">
          <span className="text-ink-2">Starts with the weights of </span>
          <Link to="/runs/$runId" params={{ runId }} className="underline underline-offset-4">
            {run.data?.name ?? runId}
          </Link>
          {which}
        </p>
        <IconButton icon="close" label="Start from nothing" onClick={onRemove} />
      </div>
      <p className="text-xs text-ink-3">
        Networks and observation statistics are taken over; optimizer, schedules, replay buffer and seed are
        new.
      </p>
      {error && (
        <p role="alert" className="text-xs text-warn">
          {error}
        </p>
      )}
    </div>
  );
}
