/** The replay of an episode; next to it, in step, a fork from it or another episode of the run. */
import { useEffect, useRef } from "react";
import type { Run } from "@/api/types";
import { episodeTitle } from "@/entities/episodes/episode-title";
import { prefersReducedMotion } from "@/lib/motion";
import type { RunSearch } from "@/pages/run/search";
import type { Playback } from "@/panels/replay/playback";
import { ReplayPanel } from "@/panels/replay/ReplayPanel";
import { usePlayback } from "@/panels/replay/use-playback";
import { useReplay } from "@/panels/replay/use-replay";
import { useReplayKeys } from "@/panels/replay/use-replay-keys";
import { TakeOverButton } from "@/panels/take-over/TakeOverButton";
import { targetOf } from "@/panels/take-over/target";
import { IconButton } from "@/ui/Button";
import { copyText } from "@/ui/clipboard";
import { ForkButton } from "./ForkButton";
import { SaveMenu } from "./SaveMenu";
import { SecondEpisodeMenu } from "./SecondEpisodeMenu";
import { useOtherSide } from "./use-other-side";

export interface EpisodeReplayProps {
  run: Run;
  episode: number;
  /** The step of the link; without one the episode starts to play if somebody chose it. */
  frame: number | undefined;
  isChosen: boolean;
  fork: string | undefined;
  /** Another episode of the run. */
  second: number | undefined;
  onSearch: (change: RunSearch, isStep?: boolean) => void;
}

export function EpisodeReplay(props: EpisodeReplayProps) {
  const { run, episode, frame, isChosen, fork, second, onSearch } = props;
  const plays = isChosen && frame === undefined && !fork && second === undefined && !prefersReducedMotion();
  const replay = useReplay({ runId: run.id, episode, step: frame ?? 0, plays });
  const close = () => onSearch({ fork: undefined, second: undefined }, true);
  const other = useOtherSide({ run, fork, second, onClose: close });
  const playback = usePlayback(other?.side.replay ? [replay, other.side.replay] : [replay]);
  useReplayKeys(playback);
  useFrameInAddress(playback, frame ?? 0, onSearch);
  usePlaysOnceOpen(
    playback,
    other?.side.replay?.state.opened !== undefined && other.key,
    other?.start,
    frame,
  );
  const own = { title: episodeTitle(episode), replay };
  const target = targetOf(own.title, { run_id: run.id, episode }, replay.state);
  return (
    <ReplayPanel
      sides={other ? [own, other.side] : [own]}
      playback={playback}
      mark={other?.mark}
      actions={
        <>
          <IconButton
            icon="link"
            label="Copy a link to this step"
            onClick={() => void copyText(window.location.href, "Link copied. It opens this step.")}
          />
          <TakeOverButton
            targets={other?.taken ? [target, other.taken] : [target]}
            step={playback.step}
            onPress={() => playback.send({ op: "pause" })}
          />
          <SaveMenu run={run} episode={episode} />
          <SecondEpisodeMenu
            run={run}
            episode={episode}
            onChoose={(number) => onSearch({ second: number, fork: undefined, episode }, true)}
          />
          {run.kind === "train" && (
            <ForkButton
              run={run}
              episode={episode}
              step={playback.step}
              onForked={(made) =>
                onSearch({ fork: made.id, second: undefined, episode, frame: playback.step }, true)
              }
            />
          )}
        </>
      }
    />
  );
}

const SETTLE_MS = 400;
const WHILE_PLAYING_MS = 1_000;

/** The step is written to the address, also now and then while it plays: a reload opens there, and adds no history. */
function useFrameInAddress(
  { step, playing }: Playback,
  frame: number,
  onSearch: EpisodeReplayProps["onSearch"],
): void {
  const latest = useRef({ step, onSearch });
  latest.current = { step, onSearch };
  useEffect(() => {
    if (playing || step === frame) return;
    const timer = setTimeout(() => latest.current.onSearch({ frame: step }), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [step, playing, frame]);
  useEffect(() => {
    if (!playing) return;
    const write = () => latest.current.onSearch({ frame: latest.current.step });
    const timer = setInterval(write, WHILE_PLAYING_MS);
    return () => clearInterval(timer);
  }, [playing]);
}

/** A second episode that was just opened plays from where it becomes interesting; one opened by a link waits. */
function usePlaysOnceOpen(
  playback: Playback,
  opened: string | false | undefined,
  start: number | undefined,
  frame: number | undefined,
): void {
  const latest = useRef({ playback, start, frame });
  latest.current = { playback, start, frame };
  useEffect(() => {
    const { playback, start = 0, frame = 0 } = latest.current;
    if (!opened || frame > start) return;
    playback.seek(start);
    if (!prefersReducedMotion()) playback.send({ op: "play" });
  }, [opened]);
}
