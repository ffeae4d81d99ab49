/** One episode, or two in step: pictures, one strip of rewards, one set of controls, and what the agent saw and did. */
import { type ReactNode, useMemo } from "react";
import { cx } from "@/ui/cx";
import { Panel } from "@/ui/Panel";
import { TermTimeline } from "./own-rewards/TermTimeline";
import { type OwnTimeline, timelineOf } from "./own-rewards/timeline";
import type { Playback } from "./playback";
import { ReplayControls } from "./ReplayControls";
import { Exactness, ReplayPicture } from "./ReplayPicture";
import { Scrubber } from "./Scrubber";
import { StepPanel } from "./StepPanel";
import { useFullScreen } from "./use-full-screen";
import type { Replay } from "./use-replay";

export interface ReplaySide {
  title: string;
  /** Null while there is nothing to play yet. */
  replay: Replay | null;
  /** Shown where the picture will be. */
  waiting?: ReactNode;
  actions?: ReactNode;
  /** A line under the picture. */
  note?: ReactNode;
  /** Rewards to show step by step; absent: the one that the run of the episode learned from, if it was the user's. */
  timelines?: readonly OwnTimeline[];
}

export interface ReplayPanelProps {
  sides: readonly ReplaySide[];
  playback: Playback;
  /** A marked step: where the fork leaves the episode. */
  mark?: number | null;
  /** Right of the panel's title. */
  actions?: ReactNode;
}

/** Side by side from 900 px on, else one under the other. */
const COLUMNS = "grid gap-px bg-line min-[900px]:grid-cols-2";

export function ReplayPanel({ sides, playback, mark, actions }: ReplayPanelProps) {
  const full = useFullScreen();
  const isPair = sides.length > 1;
  const [first] = sides;
  const title = sides.map((side) => side.title).join(" and ");
  const tracks = sides.map((side) => ({ title: side.title, opened: side.replay?.state.opened ?? null }));
  return (
    <Panel
      title={isPair ? "Side by side, in step" : title}
      flush
      aside={!isPair && first!.replay && <Exactness replay={first!.replay} />}
      actions={actions}
      className={cx(full.isOn && "fixed inset-0 z-40 overflow-auto rounded-none border-0")}
    >
      <div className={cx(isPair && COLUMNS)}>
        {sides.map((side) => (
          <Side key={side.title} side={side} isPair={isPair} isFull={full.isOn} />
        ))}
      </div>
      <Scrubber label={`Step of ${title}`} tracks={tracks} playback={playback} mark={mark} />
      {sides.map((side) => (
        <Timelines key={side.title} side={side} isPair={isPair} playback={playback} />
      ))}
      <ReplayControls playback={playback} full={full} />
      <div className={cx(isPair && COLUMNS)}>
        {sides.map((side) => (
          <Numbers key={side.title} side={side} isPair={isPair} />
        ))}
      </div>
    </Panel>
  );
}

interface TimelinesProps {
  side: ReplaySide;
  isPair: boolean;
  playback: Playback;
}

/** The rewards of one side. They change with its episode, not with the step: only the cursor moves with each frame. */
function Timelines({ side: { title, timelines, replay }, isPair, playback }: TimelinesProps) {
  const opened = replay?.state.opened;
  const shown = useMemo(() => {
    const own = timelineOf(opened);
    const found: readonly OwnTimeline[] = timelines ?? (own ? [own] : []);
    return isPair ? found.map((one) => ({ ...one, name: `${title}: ${one.name}` })) : found;
  }, [opened, timelines, isPair, title]);
  return shown.map((timeline) => (
    <TermTimeline
      key={timeline.name}
      timeline={timeline}
      step={playback.step}
      length={playback.length}
      onSeek={playback.seek}
    />
  ));
}

function Side({ side, isPair, isFull }: { side: ReplaySide; isPair: boolean; isFull: boolean }) {
  const { title, replay, waiting, actions, note } = side;
  return (
    <div className="flex min-w-0 flex-col bg-surface">
      {isPair && (
        <div className="flex min-h-10 items-center gap-3 px-4 py-1">
          <h3 className="text-sm font-semibold">{title}</h3>
          {replay && <Exactness replay={replay} />}
          <div className="ml-auto flex items-center gap-1">{actions}</div>
        </div>
      )}
      {replay ? (
        <ReplayPicture title={title} replay={replay} isFull={isFull} />
      ) : (
        <div className="grid flex-1 place-items-center p-6">{waiting}</div>
      )}
      {note && <div className="border-t px-4 py-2 text-xs text-ink-2">{note}</div>}
      {replay?.state.opened?.own_note && (
        <div className="border-t px-4 py-2 text-xs text-ink-2">{replay.state.opened.own_note}</div>
      )}
    </div>
  );
}

function Numbers({ side, isPair }: { side: ReplaySide; isPair: boolean }) {
  const { moment, opened } = side.replay?.state ?? {};
  return (
    <div className="@container min-w-0 bg-surface">
      {isPair && <h3 className="px-4 pt-4 text-sm font-semibold">{side.title}</h3>}
      {moment && opened && <StepPanel moment={moment} names={opened} />}
    </div>
  );
}
