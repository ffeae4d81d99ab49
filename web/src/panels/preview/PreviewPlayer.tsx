/** A random agent in an environment: play, pause, step, reset, and the state after each step. */

import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { FrameHeader } from "@/api/types";
import { environmentsQuery } from "@/entities/environments/queries";
import { rateBadge, Stage, type StageHandle, stageBadges } from "@/panels/stage/Stage";
import { Button } from "@/ui/Button";
import { PreviewState } from "./PreviewState";

export interface PreviewPlayerProps {
  envId: string;
  onHeader?: (header: FrameHeader | null) => void;
  /** Only the frame rate is on the picture; episode and reward are shown elsewhere. */
  bare?: boolean;
  /** Of the stage. */
  className?: string;
}

export function PreviewPlayer({ envId, onHeader, bare, className }: PreviewPlayerProps) {
  const stage = useRef<StageHandle>(null);
  const [header, setHeader] = useState<FrameHeader | null>(null);
  const names = useQuery(environmentsQuery).data?.find((environment) => environment.id === envId);
  const isPlaying = header?.playing ?? true;
  const send = (op: string) => stage.current?.send({ op });
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <Stage
        path={`/api/environments/${envId}/preview`}
        label={`A random agent in ${envId}`}
        placeholder={<p>Opening {envId}…</p>}
        handle={stage}
        badges={bare ? rateBadge : stageBadges}
        onReport={(report) => {
          setHeader(report.header);
          onHeader?.(report.header);
        }}
        className={className}
      />
      <div className="flex flex-wrap items-center gap-2 border-t px-4 py-2.5">
        <Button
          small
          icon={isPlaying ? "pause" : "play"}
          className="w-24"
          disabled={header === null}
          onClick={() => send(isPlaying ? "pause" : "play")}
        >
          {isPlaying ? "Pause" : "Play"}
        </Button>
        <Button small icon="step" disabled={header === null} onClick={() => send("step")}>
          Step
        </Button>
        <Button small caps icon="reset" disabled={header === null} onClick={() => send("reset")}>
          Reset
        </Button>
        <p className="ml-auto text-xs text-ink-3">Random actions, seed 0</p>
      </div>
      <PreviewState header={header} names={names} />
    </div>
  );
}
