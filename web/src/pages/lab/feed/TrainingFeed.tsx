/** The feed of a run: its newest episode while it trains, its best one in a loop afterwards; RECORD, RESET, the run below. */

import { useRef, useState } from "react";
import type { FrameHeader, Run } from "@/api/types";
import { CLIP_S, useRecordClip } from "@/entities/clips/use-record-clip";
import { useSaveEpisode } from "@/entities/episodes/use-save-episode";
import { isOver } from "@/entities/runs/status";
import { formatCount, formatSigned } from "@/lib/format";
import type { Columns } from "@/pages/lab/use-columns";
import type { Shown } from "@/pages/lab/use-shown";
import { QueuedNote } from "@/panels/queued/QueuedNote";
import { RunStage } from "@/panels/run-stage/RunStage";
import { useStagePlan } from "@/panels/run-stage/use-stage-plan";
import { rateBadge, type StageHandle } from "@/panels/stage/Stage";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { FeedPanel, STAGE } from "./FeedPanel";
import { FeedSwitch } from "./FeedSwitch";
import { RunBar } from "./RunBar";

export default function TrainingFeed({ run, shown, columns }: { run: Run; shown: Shown; columns: Columns }) {
  const [header, setHeader] = useState<FrameHeader | null>(null);
  const [round, setRound] = useState(0);
  const stage = useRef<StageHandle>(null);
  const plan = useStagePlan(run);
  const clip = useRecordClip(run.id);
  const saved = useSaveEpisode(run.id, plan.best?.episode ?? 0);
  const loops = isOver(run);
  const reset = () => (loops ? stage.current?.send({ op: "restart" }) : setRound((n) => n + 1));
  const nothing = plan.showsCurve ? plan.note : header === null ? "There is nothing on the stage." : null;
  return (
    <FeedPanel
      title={plan.title}
      columns={columns}
      badges={header && <FeedBadges header={header} loops={loops} />}
      actions={
        <>
          <FeedSwitch isOn={plan.isOn} onToggle={plan.toggle} />
          <RecordButton
            isSaving={clip.isPending || saved.isPending}
            title={loops ? "Saves this episode as a video" : `Saves the last ${CLIP_S} seconds as a video`}
            reason={nothing}
            onRecord={() => (loops ? saved.mutate("mp4") : clip.mutate())}
          />
          <Button
            small
            caps
            icon="reset"
            kind="quiet"
            title={
              loops ? "Begins the episode again" : "Clears the stage and follows the newest episode again"
            }
            reason={loops || plan.showsCurve ? nothing : null}
            onClick={reset}
          >
            Reset
          </Button>
        </>
      }
    >
      <RunStage
        key={round}
        run={run}
        plan={plan}
        note={run.status === "queued" ? <QueuedNote run={run} /> : undefined}
        badges={rateBadge}
        handle={stage}
        onReport={(report) => setHeader(report.header)}
        className={STAGE}
      />
      <RunBar run={run} shown={shown} />
    </FeedPanel>
  );
}

/** The title names a looped episode already; a live one is named here. */
function FeedBadges({ header, loops }: { header: FrameHeader; loops: boolean }) {
  return (
    <>
      <Badge>{loops ? `STEP ${formatCount(header.step)}` : `EPISODE ${formatCount(header.episode)}`}</Badge>
      <Badge>{`REWARD ${formatSigned(header.return)}`}</Badge>
    </>
  );
}

interface RecordButtonProps {
  isSaving: boolean;
  title: string;
  reason: string | null;
  onRecord: () => void;
}

function RecordButton({ isSaving, title, reason, onRecord }: RecordButtonProps) {
  return (
    <Button
      small
      caps
      icon="record"
      kind="quiet"
      title={title}
      reason={reason}
      disabled={isSaving}
      onClick={onRecord}
    >
      {isSaving ? "Saving" : "Record"}
    </Button>
  );
}
