/** Plays one episode of a version: it is simulated again from its seed and actions. */
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import type { DatasetVersion } from "@/api/types";
import { datasetEpisodeQuery } from "@/entities/datasets/queries";
import { formatCount, formatNumber, formatPlural } from "@/lib/format";
import { prefersReducedMotion } from "@/lib/motion";
import { ReplayPanel } from "@/panels/replay/ReplayPanel";
import { usePlayback } from "@/panels/replay/use-playback";
import { useReplay } from "@/panels/replay/use-replay";
import { useReplayKeys } from "@/panels/replay/use-replay-keys";
import { TakeOverButton } from "@/panels/take-over/TakeOverButton";
import { type TakeOverTarget, targetOf } from "@/panels/take-over/target";
import { IconButton } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { EmptyState, ErrorState, Loading } from "@/ui/states";
import { whyNotWatched } from "./facts";

export interface EpisodeWatchProps {
  version: DatasetVersion;
  episode: number;
  frame: number | undefined;
  onFrame: (frame: number) => void;
  onClose: () => void;
}

export function EpisodeWatch(props: EpisodeWatchProps) {
  const place = useRef<HTMLDivElement>(null);
  // Below the charts it would open outside of what one sees.
  useEffect(() => {
    // Some browsers return a promise, which would be taken for the function that cleans up.
    place.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <div ref={place} className="scroll-mt-24">
      <Watched {...props} />
    </div>
  );
}

function Watched(props: EpisodeWatchProps) {
  const { version, episode, onClose } = props;
  const row = useQuery(datasetEpisodeQuery(version.name, version.version, episode));
  const title = `Episode ${formatCount(episode)}`;
  const close = <IconButton icon="close" label="Close the replay" onClick={onClose} />;
  if (row.isPending || row.isError)
    return (
      <Panel title={title} actions={close}>
        {row.isError ? <ErrorState error={row.error} /> : <Loading lines={4} />}
      </Panel>
    );
  if (row.data === null)
    return (
      <Panel title={title} actions={close}>
        <EmptyState title="No such episode">
          {`This version has ${formatPlural(version.episodes, "episode")}, counted from 0.`}
        </EmptyState>
      </Panel>
    );
  const reason = whyNotWatched(version, row.data);
  const start = {
    dataset: { name: version.name, version: version.version, sha256: version.sha256 },
    episode,
  };
  if (reason)
    return (
      <Panel
        title={title}
        actions={
          <>
            <TakeOverButton targets={[{ title, start, length: null, reason }]} step={0} onPress={() => {}} />
            {close}
          </>
        }
      >
        <EmptyState title="This episode has no picture">
          <p>{reason}</p>
          <p className="figures mt-2 text-xs">
            {`${formatPlural(row.data.length, "step")}, return ${formatNumber(row.data.return, 5)}`}
          </p>
        </EmptyState>
      </Panel>
    );
  return <Player {...props} title={title} start={start} close={close} />;
}

const SETTLE_MS = 400;

interface PlayerProps extends EpisodeWatchProps {
  title: string;
  start: TakeOverTarget["start"];
  close: ReactNode;
}

function Player({ version, episode, frame, onFrame, title, start, close }: PlayerProps) {
  const replay = useReplay({
    address: `/api/datasets/${encodeURIComponent(version.name)}/versions/${version.version}/episodes/${episode}/replay`,
    step: frame ?? 0,
    plays: frame === undefined && !prefersReducedMotion(),
  });
  const playback = usePlayback([replay]);
  useReplayKeys(playback);
  const latest = useRef(onFrame);
  latest.current = onFrame;
  const { step, playing } = playback;
  useEffect(() => {
    if (playing || step === (frame ?? 0)) return;
    const timer = setTimeout(() => latest.current(step), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [step, playing, frame]);
  return (
    <ReplayPanel
      sides={[{ title, replay }]}
      playback={playback}
      actions={
        <>
          <TakeOverButton
            targets={[targetOf(title, start, replay.state)]}
            step={step}
            onPress={() => playback.send({ op: "pause" })}
          />
          {close}
        </>
      }
    />
  );
}
