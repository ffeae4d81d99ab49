/** Play, pause, step, new episode, pace, and whether actions are sampled. */
import { useState } from "react";
import type { FrameHeader } from "@/api/types";
import { Button } from "@/ui/Button";
import { Select } from "@/ui/Select";
import { SwitchRow } from "@/ui/SwitchRow";

const SPEEDS = ["0.1", "0.25", "0.5", "1", "2", "4"].map((value) => ({ value, title: `${value}×` }));

export interface StageControlsProps {
  header: FrameHeader | null;
  send: (command: object) => void;
}

export function StageControls({ header, send }: StageControlsProps) {
  const [samples, setSamples] = useState(false);
  const isPlaying = header?.playing ?? true;
  const none = header === null;
  return (
    <div className="flex flex-wrap items-center gap-2 border-t px-4 py-2.5">
      <Button
        small
        icon={isPlaying ? "pause" : "play"}
        className="w-24"
        disabled={none}
        onClick={() => send({ op: isPlaying ? "pause" : "play" })}
      >
        {isPlaying ? "Pause" : "Play"}
      </Button>
      <Button small icon="step" disabled={none} onClick={() => send({ op: "step" })}>
        Step
      </Button>
      <Button small icon="reset" disabled={none} onClick={() => send({ op: "reset" })}>
        New episode
      </Button>
      <div className="w-24">
        <Select
          label="Speed"
          value={String(header?.speed ?? 1)}
          options={SPEEDS}
          onChange={(speed) => send({ op: "speed", speed: Number(speed) })}
        />
      </div>
      <div className="ml-auto">
        <SwitchRow
          title="Sample actions"
          checked={samples}
          onChange={(next) => {
            setSamples(next);
            send({ op: "sample", sample: next });
          }}
        />
      </div>
    </div>
  );
}
