/** Name, status and moves of a run, its progress, and the reason when it failed. */
import { Link } from "@tanstack/react-router";
import type { Run } from "@/api/types";
import { useLiveState } from "@/api/use-live";
import { IsolationBadge } from "@/entities/runs/IsolationBadge";
import { RunMoves } from "@/entities/runs/RunMoves";
import { RunProgress } from "@/entities/runs/RunProgress";
import { RunReason } from "@/entities/runs/RunReason";
import { StatusBadge } from "@/entities/runs/StatusBadge";
import { isLive } from "@/entities/runs/status";
import { factsOf } from "@/entities/runs/words";
import { useRunColour } from "@/lib/colour";
import { StaleNote } from "@/ui/states";
import { RunMenu } from "./RunMenu";
import { RunName } from "./RunName";
import { RunTags } from "./RunTags";

export function RunHeader({ run }: { run: Run }) {
  const runColour = useRunColour();
  const isStale = useLiveState() === "stale" && isLive(run);
  return (
    <header className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span
          aria-hidden="true"
          className="size-3 shrink-0 rounded-full"
          style={{ background: runColour(run.id) }}
        />
        <RunName run={run} />
        <StatusBadge status={run.status} />
        {run.isolation && <IsolationBadge isolation={run.isolation} />}
        {isStale && <StaleNote since={run.updated_at} />}
        <div className="ml-auto flex items-center gap-2">
          <RunMoves run={run} />
          <RunMenu run={run} />
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="figures text-xs text-ink-3">{[...factsOf(run), run.id].join(" · ")}</p>
        {run.parent_id && (
          <Link
            to="/runs/$runId"
            params={{ runId: run.parent_id }}
            className="text-xs text-ink-2 underline underline-offset-4 hover:text-ink"
          >
            from run {run.parent_id}
          </Link>
        )}
        {run.source && (
          <span className="figures min-w-0 text-xs break-all text-ink-3">
            {`adopted from ${run.source.folder}${run.source.is_followed ? ", followed" : ""}`}
          </span>
        )}
        <RunTags run={run} />
      </div>
      <RunProgress run={run} />
      <RunReason run={run} />
    </header>
  );
}
