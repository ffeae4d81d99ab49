/** Play, pause, single steps and speed; the same as the keys. */
import { IconButton } from "@/ui/Button";
import { Select } from "@/ui/Select";
import { SPEEDS } from "./messages";
import type { Replay } from "./use-replay";

export function ReplayControls({ replay }: { replay: Replay }) {
  const { state, send } = replay;
  const length = state.opened?.length ?? 0;
  const speeds = SPEEDS.some((speed) => speed === state.speed) ? SPEEDS : [...SPEEDS, state.speed];
  return (
    <div className="flex flex-wrap items-center gap-1 border-b px-3 py-1.5">
      <IconButton icon="first" label="Go to the start (Home)" onClick={() => replay.seek(0)} />
      <IconButton icon="left" label="One step back (←)" onClick={() => send({ op: "step", by: -1 })} />
      <IconButton
        icon={state.playing ? "pause" : "play"}
        label={state.playing ? "Pause (Space)" : "Play (Space)"}
        onClick={replay.toggle}
      />
      <IconButton icon="right" label="One step forward (→)" onClick={() => send({ op: "step", by: 1 })} />
      <IconButton icon="last" label="Go to the end (End)" onClick={() => replay.seek(length)} />
      <span className="figures ml-2 text-xs text-ink-2">{`${state.step} / ${length}`}</span>
      <div className="ml-auto w-24">
        <Select
          label="Speed"
          value={String(state.speed)}
          options={speeds.map((speed) => ({ value: String(speed), title: `${speed}×` }))}
          onChange={(speed) => send({ op: "speed", speed: Number(speed) })}
        />
      </div>
    </div>
  );
}
