/** The keys of a replay; they also move the fork next to it. */
import { useKeys } from "@/lib/keys";
import { type Command, KEY_SPEEDS } from "./messages";
import type { Replay } from "./use-replay";

const GROUP = "Replay";

export function useReplayKeys(replays: readonly Replay[]): void {
  const all = (command: Command) => {
    for (const replay of replays) replay.send(command);
  };
  const jump = (seconds: number) => {
    for (const replay of replays)
      replay.send({ op: "step", by: Math.round(seconds * (replay.state.opened?.render_fps ?? 30)) });
  };
  useKeys([
    {
      keys: "space",
      title: "Play or pause",
      group: GROUP,
      run: () => all({ op: replays.some((replay) => replay.state.playing) ? "pause" : "play" }),
    },
    { keys: "ArrowLeft", title: "One step back", group: GROUP, run: () => all({ op: "step", by: -1 }) },
    { keys: "ArrowRight", title: "One step forward", group: GROUP, run: () => all({ op: "step", by: 1 }) },
    { keys: "shift+ArrowLeft", title: "One second back", group: GROUP, run: () => jump(-1) },
    { keys: "shift+ArrowRight", title: "One second forward", group: GROUP, run: () => jump(1) },
    { keys: "Home", title: "Go to the start", group: GROUP, run: () => all({ op: "seek", step: 0 }) },
    {
      keys: "End",
      title: "Go to the end",
      group: GROUP,
      run: () => {
        for (const replay of replays) replay.seek(replay.state.opened?.length ?? 0);
      },
    },
    ...KEY_SPEEDS.map((speed, i) => ({
      keys: String(i + 1),
      title: `Speed ${speed}×`,
      group: GROUP,
      run: () => all({ op: "speed", speed }),
    })),
  ]);
}
