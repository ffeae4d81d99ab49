/** A play that has ended: what came of it, and what one can do with it. */
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Run } from "@/api/types";
import { RunReason } from "@/entities/runs/RunReason";
import { PlaySummary } from "@/panels/play-summary/PlaySummary";

export function EndedPlay({ run, children }: { run: Run; children: ReactNode }) {
  return (
    <div className="container-page grid items-start gap-4 py-4 sm:py-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="flex min-w-0 flex-col gap-4">
        <h1 className="title">{run.env_id}</h1>
        <RunReason run={run} />
        <PlaySummary run={run} />
        <p className="text-sm">
          <Link to="/runs/$runId" params={{ runId: run.id }} className="underline underline-offset-4">
            Open the run: replays, notes, exports
          </Link>
          {" · "}
          <Link
            to="/runs/$runId"
            params={{ runId: run.id }}
            search={{ tab: "evaluations" }}
            className="underline underline-offset-4"
          >
            Evaluate its episodes
          </Link>
        </p>
      </div>
      <div className="flex min-w-0 flex-col gap-4">{children}</div>
    </div>
  );
}
