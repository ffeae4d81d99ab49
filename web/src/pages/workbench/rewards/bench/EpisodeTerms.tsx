/** Plays one scored episode, with each reward step by step and term by term. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useMemo, useRef } from "react";
import type { BenchEpisode, BenchReward } from "@/api/types";
import { rewardTermsQuery } from "@/entities/bench/queries";
import { formatCount } from "@/lib/format";
import { prefersReducedMotion } from "@/lib/motion";
import type { OwnTimeline } from "@/panels/replay/own-rewards/timeline";
import { ReplayPanel } from "@/panels/replay/ReplayPanel";
import { usePlayback } from "@/panels/replay/use-playback";
import { useReplay } from "@/panels/replay/use-replay";
import { useReplayKeys } from "@/panels/replay/use-replay-keys";
import { TakeOverButton } from "@/panels/take-over/TakeOverButton";
import { targetOf } from "@/panels/take-over/target";
import { IconButton } from "@/ui/Button";
import { hasNote, TermsNote } from "./TermsNote";

export interface EpisodeTermsProps {
  episode: BenchEpisode;
  runName: string;
  rewards: BenchReward[];
  onClose: () => void;
}

export function EpisodeTerms({ episode, runName, rewards, onClose }: EpisodeTermsProps) {
  const { run_id: runId, episode: number } = episode;
  const title = `Episode ${formatCount(number)} of ${runName}`;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const terms = useQuery(rewardTermsQuery(runId, number, rewards));
  const timelines = useMemo(
    () =>
      terms.data?.rewards.flatMap((one): OwnTimeline[] =>
        one.rewards.length > 0
          ? [{ name: one.name, rewards: one.rewards, terms: one.terms, envRewards: terms.data.env_rewards }]
          : [],
      ) ?? [],
    [terms.data],
  );
  const replay = useReplay({ runId, episode: number, plays: !prefersReducedMotion() });
  const playback = usePlayback([replay]);
  useReplayKeys(playback);
  return (
    <div ref={place} className="scroll-mt-24">
      <ReplayPanel
        sides={[
          {
            title,
            replay,
            timelines,
            note: hasNote(terms) && <TermsNote terms={terms} />,
          },
        ]}
        playback={playback}
        actions={
          <>
            <TakeOverButton
              targets={[targetOf(title, { run_id: runId, episode: number }, replay.state)]}
              step={playback.step}
              onPress={() => playback.send({ op: "pause" })}
            />
            <Link
              to="/runs/$runId"
              params={{ runId }}
              search={{ tab: "episodes", episode: number }}
              className="px-2 text-xs text-ink-2 underline underline-offset-4 hover:text-ink"
            >
              On the page of its run
            </Link>
            <IconButton icon="close" label="Close the replay" onClick={onClose} />
          </>
        }
      />
    </div>
  );
}
