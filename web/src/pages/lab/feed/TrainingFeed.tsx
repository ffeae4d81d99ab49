/** LIVE FEED of a run: its newest episode on the dark stage, RECORD and RESET, and the run below. */

import { useState } from "react";
import type { FrameHeader, Run } from "@/api/types";
import { CLIP_S, useRecordClip } from "@/entities/clips/use-record-clip";
import { formatCount, formatSigned } from "@/lib/format";
import type { Columns } from "@/pages/lab/use-columns";
import type { Shown } from "@/pages/lab/use-shown";
import { rateBadge, Stage } from "@/panels/stage/Stage";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { FeedPanel, STAGE } from "./FeedPanel";
import { RunBar } from "./RunBar";

export function TrainingFeed({ run, shown, columns }: { run: Run; shown: Shown; columns: Columns }) {
  const [header, setHeader] = useState<FrameHeader | null>(null);
  const [round, setRound] = useState(0);
  const record = useRecordClip(run.id);
  return (
    <FeedPanel
      title="Live feed"
      columns={columns}
      badges={
        <>
          <Badge>{`EPISODE ${formatCount(header?.episode ?? run.progress.episodes)}`}</Badge>
          <Badge>{`REWARD ${formatSigned(header?.return ?? run.summary.last_reward)}`}</Badge>
        </>
      }
      actions={
        <>
          <RecordButton isSaving={record.isPending} canRecord={header !== null} onRecord={record.mutate} />
          <Button
            small
            caps
            icon="reset"
            kind="quiet"
            title="Clears the stage and follows the newest episode again"
            onClick={() => setRound((n) => n + 1)}
          >
            Reset
          </Button>
        </>
      }
    >
      <Stage
        key={round}
        path={`/api/runs/${run.id}/frames`}
        label={`Live feed of ${run.name}`}
        placeholder={<p>{WAITING[run.status] ?? "The first episode appears here in a moment."}</p>}
        badges={rateBadge}
        onReport={(report) => setHeader(report.header)}
        className={STAGE}
      />
      <RunBar run={run} shown={shown} />
    </FeedPanel>
  );
}

/** Shown on the stage before the first picture. */
const WAITING: Partial<Record<Run["status"], string>> = {
  created: "This run has not been started.",
  queued: "Waiting for a free slot.",
  starting: "The worker is being started.",
  failed: "The run failed before it played anything.",
};

interface RecordButtonProps {
  isSaving: boolean;
  canRecord: boolean;
  onRecord: () => void;
}

function RecordButton({ isSaving, canRecord, onRecord }: RecordButtonProps) {
  return (
    <Button
      small
      caps
      icon="record"
      kind="quiet"
      title={`Saves the last ${CLIP_S} seconds of the feed as a video`}
      reason={canRecord ? null : "There is nothing on the stage to record yet."}
      disabled={isSaving}
      onClick={() => onRecord()}
    >
      {isSaving ? "Saving" : "Record"}
    </Button>
  );
}
