/** Shown before the first training: one button that starts one, and one that starts the tour. */

import { Link } from "@tanstack/react-router";
import type { Run } from "@/api/types";
import { useTrain } from "@/pages/lab/configure/use-train";
import { firstRun } from "@/pages/lab/draft/draft";
import type { DraftState } from "@/pages/lab/draft/use-draft";
import type { Columns } from "@/pages/lab/use-columns";
import { FeedPanel, STAGE } from "./FeedPanel";

export interface FirstVisitProps {
  state: DraftState;
  columns: Columns;
  onStarted: (run: Run) => void;
  onTour: () => void;
}

export function FirstVisit({ state, columns, onStarted, onTour }: FirstVisitProps) {
  const train = useTrain(onStarted);
  return (
    <FeedPanel title="Live feed" columns={columns}>
      <div
        className={`${STAGE} flex min-h-80 flex-col items-center justify-center gap-4 bg-stage p-6 text-center text-on-stage`}
      >
        <h2 className="title">Train your first agent</h2>
        <p className="-mt-2 max-w-96 text-balance opacity-85">
          It learns to balance a pole. That takes a few seconds and stops when the task is solved.
        </p>
        <div className="flex flex-wrap justify-center gap-2">
          <button
            type="button"
            disabled={!state.draft || train.isPending}
            onClick={() => train.mutate(firstRun(state.offers))}
            className="h-10 rounded-sm bg-[#fff] px-5 text-sm font-medium text-[#101216] hover:opacity-88 disabled:opacity-50"
          >
            Train CartPole
          </button>
          <button
            type="button"
            onClick={onTour}
            className="h-10 rounded-sm border border-[#ffffff66] px-5 text-sm font-medium hover:bg-[#ffffff14]"
          >
            Show me around
          </button>
        </div>
        <Link to="/welcome" className="text-sm underline underline-offset-4 opacity-85 hover:opacity-100">
          What can this lab do?
        </Link>
      </div>
    </FeedPanel>
  );
}
