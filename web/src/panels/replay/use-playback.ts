/** Plays one replay, or several in step. */
import { useEffect, useMemo, useRef, useState } from "react";
import { type Playback, playbackOf, USUAL_FPS } from "./playback";
import { type ClockState, type Member, SharedClock } from "./shared-clock";
import type { Replay } from "./use-replay";

/** At least one replay; a second one may come and go. */
export function usePlayback(replays: readonly Replay[]): Playback {
  const isShared = replays.length > 1;
  const shared = useSharedClock(replays, isShared);
  return isShared ? shared : playbackOf(replays[0]!);
}

function useSharedClock(replays: readonly Replay[], isShared: boolean): Playback {
  const latest = useRef(replays);
  latest.current = replays;
  const [state, setState] = useState<ClockState>({ step: 0, playing: false, speed: 1 });
  const [clock] = useState(() => new SharedClock(() => membersOf(latest.current), setState));
  useEffect(() => {
    if (!isShared) return;
    const { step, speed } = latest.current[0]!.state;
    for (const replay of latest.current) replay.send({ op: "pause" });
    clock.handle({ op: "speed", speed });
    clock.handle({ op: "seek", step });
    return () => clock.handle({ op: "pause" });
  }, [isShared, clock]);
  useEffect(() => {
    if (!state.playing) return;
    let frame = requestAnimationFrame(function next(now) {
      clock.tick(now);
      frame = requestAnimationFrame(next);
    });
    return () => cancelAnimationFrame(frame);
  }, [state.playing, clock]);
  const { length } = clock;
  const fps = replays[0]?.state.opened?.render_fps ?? USUAL_FPS;
  return useMemo(
    () => ({
      ...state,
      length,
      fps,
      send: (command) => clock.handle(command),
      toggle: () => clock.handle({ op: state.playing ? "pause" : "play" }),
      seek: (step) => clock.handle({ op: "seek", step }),
    }),
    [state, length, fps, clock],
  );
}

/** One that failed does not hold the others up. */
const membersOf = (replays: readonly Replay[]): Member[] =>
  replays
    .filter((replay) => replay.state.phase !== "failed")
    .map(({ state, seek }) => ({
      length: state.opened?.length ?? null,
      fps: state.opened?.render_fps ?? USUAL_FPS,
      shown: state.moment?.step ?? null,
      seek,
    }));
