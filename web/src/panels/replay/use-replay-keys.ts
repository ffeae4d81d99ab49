/** The keys of a replay, or of several in step. */
import { useKeys } from "@/lib/keys";
import { KEY_SPEEDS } from "./messages";
import type { Playback } from "./playback";

const GROUP = "Replay";

export function useReplayKeys(playback: Playback): void {
  const { send, seek, fps, length } = playback;
  const jump = (seconds: number) => send({ op: "step", by: Math.round(seconds * fps) });
  useKeys([
    { keys: "space", title: "Play or pause", group: GROUP, run: playback.toggle },
    { keys: "ArrowLeft", title: "One step back", group: GROUP, run: () => send({ op: "step", by: -1 }) },
    { keys: "ArrowRight", title: "One step forward", group: GROUP, run: () => send({ op: "step", by: 1 }) },
    { keys: "shift+ArrowLeft", title: "One second back", group: GROUP, run: () => jump(-1) },
    { keys: "shift+ArrowRight", title: "One second forward", group: GROUP, run: () => jump(1) },
    { keys: "Home", title: "Go to the start", group: GROUP, run: () => seek(0) },
    { keys: "End", title: "Go to the end", group: GROUP, run: () => seek(length) },
    ...KEY_SPEEDS.map((speed, i) => ({
      keys: String(i + 1),
      title: `Speed ${speed}×`,
      group: GROUP,
      run: () => send({ op: "speed", speed }),
    })),
  ]);
}
