/** The replay of an episode, and next to it the replay of a fork from it. */
import { useEffect, useRef } from "react";
import type { Run } from "@/api/types";
import type { RunSearch } from "@/pages/run/search";
import { ReplayPanel } from "@/panels/replay/ReplayPanel";
import { useReplay } from "@/panels/replay/use-replay";
import { useReplayKeys } from "@/panels/replay/use-replay-keys";
import { IconButton } from "@/ui/Button";
import { copyText } from "@/ui/clipboard";
import { ForkButton } from "./ForkButton";
import { ForkReplay } from "./ForkReplay";
import { type Linked, useLinkedReplays } from "./use-linked-replays";

export interface EpisodeReplayProps {
  run: Run;
  episode: number;
  frame: number;
  fork: string | undefined;
  onSearch: (change: RunSearch, isStep?: boolean) => void;
}

export function EpisodeReplay({ run, episode, frame, fork, onSearch }: EpisodeReplayProps) {
  const replay = useReplay(run.id, episode, frame);
  const linked = useLinkedReplays(replay);
  useReplayKeys(linked.all);
  useFrameInAddress(replay.state.step, replay.state.playing, frame, onSearch);
  const forkedAt = forkStepOf(linked);
  return (
    <div className={fork ? "grid items-start gap-4 2xl:grid-cols-2" : undefined}>
      <ReplayPanel
        title={`Episode ${episode}`}
        replay={replay}
        mark={forkedAt}
        actions={
          <>
            <IconButton
              icon="link"
              label="Copy a link to this step"
              onClick={() => void copyText(window.location.href, "Link copied. It opens this step.")}
            />
            {run.kind === "train" && (
              <ForkButton
                run={run}
                episode={episode}
                step={replay.state.step}
                onForked={(made) => onSearch({ fork: made.id, episode, frame: replay.state.step }, true)}
              />
            )}
          </>
        }
      />
      {fork && (
        <ForkReplay
          forkId={fork}
          onReplay={linked.setOther}
          onClose={() => onSearch({ fork: undefined }, true)}
        />
      )}
    </div>
  );
}

const forkStepOf = (linked: Linked): number | null => linked.otherMark;

const SETTLE_MS = 400;

/** The step is written to the address once it stops changing: a link opens there, and playing adds no history. */
function useFrameInAddress(
  step: number,
  playing: boolean,
  frame: number,
  onSearch: EpisodeReplayProps["onSearch"],
): void {
  const latest = useRef(onSearch);
  latest.current = onSearch;
  useEffect(() => {
    if (playing || step === frame) return;
    const timer = setTimeout(() => latest.current({ frame: step || undefined }), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [step, playing, frame]);
}
