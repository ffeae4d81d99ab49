/** The stage of a run: live frames, the best episode in a loop, or what there is instead of pictures. */
import { lazy, type ReactNode, type Ref, Suspense } from "react";
import type { Run } from "@/api/types";
import { patiently } from "@/lib/chunks";
import type { StageReport } from "@/panels/stage/player";
import { Stage, type StageHandle } from "@/panels/stage/Stage";
import { cx } from "@/ui/cx";
import { Icon } from "@/ui/icons";
import type { StagePlan } from "./plan";

const StageCurve = lazy(() => patiently(() => import("./StageCurve")));

export interface RunStageProps {
  run: Run;
  plan: StagePlan & { act: () => void };
  /** More about why there is no picture yet. */
  note?: ReactNode;
  badges?: ((report: StageReport) => ReactNode) | null;
  onReport?: (report: StageReport) => void;
  handle?: Ref<StageHandle>;
  className?: string;
}

export function RunStage({ run, plan, note, className, ...stage }: RunStageProps) {
  if (plan.showsCurve)
    return (
      <div className={cx("flex flex-col gap-2 bg-surface p-4", className)}>
        <p className="text-sm text-ink-2">{plan.note}</p>
        <Suspense>
          <StageCurve run={run} />
        </Suspense>
      </div>
    );
  return (
    <Stage
      path={plan.path}
      label={plan.title === "Live feed" ? `Live feed of ${run.name}` : `${plan.title} of ${run.name}`}
      placeholder={note ?? <EmptyStage plan={plan} />}
      className={className}
      {...stage}
    />
  );
}

function EmptyStage({ plan }: { plan: RunStageProps["plan"] }) {
  if (plan.action === null) return <p className="max-w-96 text-balance">{plan.note}</p>;
  return (
    <div className="flex flex-col items-center gap-4">
      <p>{plan.note}</p>
      <button
        type="button"
        onClick={plan.act}
        className="inline-flex h-9 items-center gap-2 rounded-sm border border-[#ffffff66] px-4 text-sm font-medium hover:bg-[#ffffff14]"
      >
        <Icon name="play" size={14} />
        {plan.action === "play" ? "Play" : "Turn on"}
      </button>
    </div>
  );
}
