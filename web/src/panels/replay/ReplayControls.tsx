/** Play, pause, single steps and speed; the same as the keys. */
import { formatCount, formatDuration } from "@/lib/format";
import { useKeys } from "@/lib/keys";
import { IconButton } from "@/ui/Button";
import { Select } from "@/ui/Select";
import { SPEEDS } from "./messages";
import type { Playback } from "./playback";
import type { FullScreen } from "./use-full-screen";

export function ReplayControls({ playback, full }: { playback: Playback; full: FullScreen }) {
  const { step, length, playing, speed, fps, send, seek } = playback;
  const speeds = SPEEDS.some((usual) => usual === speed) ? SPEEDS : [...SPEEDS, speed];
  useKeys([{ keys: "f", title: "Full screen", group: "Replay", run: full.toggle }]);
  return (
    <div className="flex flex-wrap items-center gap-1 border-b px-3 py-1.5">
      <IconButton icon="first" label="Go to the start (Home)" onClick={() => seek(0)} />
      <IconButton icon="left" label="One step back (←)" onClick={() => send({ op: "step", by: -1 })} />
      <IconButton
        icon={playing ? "pause" : "play"}
        label={playing ? "Pause (Space)" : "Play (Space)"}
        onClick={playback.toggle}
      />
      <IconButton icon="right" label="One step forward (→)" onClick={() => send({ op: "step", by: 1 })} />
      <IconButton icon="last" label="Go to the end (End)" onClick={() => seek(length)} />
      <span className="figures ml-2 text-xs text-ink-2">
        {`step ${formatCount(step)} of ${formatCount(length)}`}
        <span className="text-ink-3 max-sm:hidden">{` · ${formatDuration(step / fps)}`}</span>
      </span>
      <div className="ml-auto w-24">
        <Select
          label="Speed"
          value={String(speed)}
          options={speeds.map((each) => ({ value: String(each), title: `${each}×` }))}
          onChange={(chosen) => send({ op: "speed", speed: Number(chosen) })}
        />
      </div>
      <IconButton
        icon={full.isOn ? "close" : "full"}
        label={full.isOn ? "Leave full screen (F)" : "Full screen (F)"}
        onClick={full.toggle}
      />
    </div>
  );
}
