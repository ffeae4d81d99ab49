/** What plays next to an episode: a fork from it, once that is done, or another episode of the run. */
import { Link } from "@tanstack/react-router";
import type { ForkResult, Run } from "@/api/types";
import { episodeTitle } from "@/entities/episodes/episode-title";
import { type Forked, useFork } from "@/entities/episodes/use-fork";
import { forkOf } from "@/entities/results/results";
import { formatCount, formatNumber, formatSigned } from "@/lib/format";
import type { ReplaySide } from "@/panels/replay/ReplayPanel";
import { type Replay, type ReplayTarget, useReplay } from "@/panels/replay/use-replay";
import { type TakeOverTarget, targetOf } from "@/panels/take-over/target";
import { IconButton } from "@/ui/Button";
import { ForkUnderWay } from "./ForkUnderWay";

export interface OtherSide {
  /** Changes with the episode that plays there. */
  key: string;
  side: ReplaySide;
  /** Where a fork leaves the episode. */
  mark: number | null;
  /** Where both begin to play. */
  start: number;
  /** Null while a fork has no episode yet. */
  taken: TakeOverTarget | null;
}

interface Wanted {
  run: Run;
  fork: string | undefined;
  second: number | undefined;
  onClose: () => void;
}

export function useOtherSide({ run, fork, second, onClose }: Wanted): OtherSide | null {
  const forked = useFork(fork);
  const replay = useReplay(fork === undefined ? episodeTarget(run, second) : forkTarget(forked));
  if (fork !== undefined) return forkSide(fork, forked, replay, onClose);
  if (second === undefined) return null;
  const title = episodeTitle(second);
  const actions = <IconButton icon="close" label="Close this episode" onClick={onClose} />;
  const taken = targetOf(title, { run_id: run.id, episode: second }, replay.state);
  return { key: title, side: { title, replay, actions }, mark: null, start: 0, taken };
}

const episodeTarget = (run: Run, episode: number | undefined): ReplayTarget | null =>
  episode === undefined ? null : { runId: run.id, episode };

const forkTarget = ({ fork, episode }: Forked): ReplayTarget | null =>
  fork.data && episode.data
    ? { runId: fork.data.id, episode: episode.data.episode, step: forkStep(fork.data) }
    : null;

const forkStep = (fork: Run | undefined): number => (fork?.config.kind === "fork" ? fork.config.step : 0);

function forkSide(forkId: string, forked: Forked, replay: Replay, onClose: () => void): OtherSide {
  const forkedAt = forkStep(forked.fork.data);
  const result = forkOf(forked.fork.data?.summary.result ?? null);
  const side: ReplaySide = {
    title: forked.fork.data ? `Fork at step ${formatCount(forkedAt)}` : "Fork",
    replay: forked.episode.data ? replay : null,
    waiting: <ForkUnderWay forked={forked} />,
    actions: (
      <>
        <ForkLink forkId={forkId} />
        <IconButton icon="close" label="Close the fork" onClick={onClose} />
      </>
    ),
    note: result && comparison(result),
  };
  const episode = forked.episode.data?.episode;
  const taken =
    episode === undefined ? null : targetOf(side.title, { run_id: forkId, episode }, replay.state);
  return { key: forkId, side, mark: forkedAt, start: forkedAt, taken };
}

function ForkLink({ forkId }: { forkId: string }) {
  return (
    <Link
      to="/runs/$runId"
      params={{ runId: forkId }}
      className="px-2 text-xs text-ink-2 underline-offset-4 hover:underline"
    >
      Open the run
    </Link>
  );
}

function comparison({ return: own, parent_return: parent }: ForkResult): string {
  const text = `Return ${formatNumber(own, 4)}`;
  if (parent === null) return `${text}.`;
  return `${text}, compared with ${formatNumber(parent, 4)} of the original episode: ${formatSigned(own - parent, 4)}.`;
}
