/** The picture of a replay, with the numbers of its step on it, or why there is none. */
import type { ReactNode } from "react";
import { formatCount, formatNumber, formatSigned } from "@/lib/format";
import { Badge } from "@/ui/Badge";
import { cx } from "@/ui/cx";
import { TextWithCode } from "@/ui/states";
import { Tooltip } from "@/ui/Tooltip";
import type { Replay } from "./use-replay";

export interface ReplayPictureProps {
  title: string;
  replay: Replay;
  isFull: boolean;
}

export function ReplayPicture({ title, replay, isFull }: ReplayPictureProps) {
  const { state } = replay;
  return (
    <div
      className={cx(
        "relative aspect-3/2 w-full overflow-hidden bg-stage text-on-stage",
        isFull ? "max-h-[calc(100dvh-14rem)]" : "max-h-[52vh]",
      )}
      role="img"
      aria-label={`${title}, step ${formatCount(state.step)}`}
      style={state.edge ? { backgroundColor: state.edge } : undefined}
    >
      <div ref={replay.place} className="absolute inset-0" />
      <StageNote replay={replay} />
      {state.moment && <Chips replay={replay} />}
    </div>
  );
}

function Chips({ replay }: { replay: Replay }) {
  const { moment, opened } = replay.state;
  return (
    <div className="figures pointer-events-none absolute inset-x-3 top-3 flex flex-wrap gap-2 text-2xs">
      <Chip>{`STEP ${formatCount(moment!.step)} / ${formatCount(opened?.length)}`}</Chip>
      <Chip>{`REWARD ${formatSigned(moment!.reward)}`}</Chip>
      <Chip>{`RETURN ${formatNumber(moment!.return, 4)}`}</Chip>
      {moment!.terminated && <Chip>TERMINATED</Chip>}
      {moment!.truncated && <Chip>TRUNCATED</Chip>}
    </div>
  );
}

const Chip = ({ children }: { children: ReactNode }) => (
  <span className="rounded-sm bg-[rgb(0_0_0/0.62)] px-2 py-0.5 whitespace-nowrap">{children}</span>
);

function StageNote({ replay }: { replay: Replay }) {
  const { phase, failure } = replay.state;
  if (phase === "ready") return null;
  return (
    <div className="absolute inset-0 grid place-items-center bg-[rgb(0_0_0/0.45)] p-6 text-center text-sm">
      {phase === "opening" && <p>Playing the whole episode once, so that you can jump to any step…</p>}
      {phase === "lost" && <p>The connection was lost. The replay continues when the lab is back.</p>}
      {phase === "failed" && (
        <div role="alert">
          <p>{failure && <TextWithCode text={failure.message} />}</p>
          {failure?.next_step && (
            <p className="mt-2 opacity-80">
              <TextWithCode text={failure.next_step} />
            </p>
          )}
        </div>
      )}
    </div>
  );
}

/** Whether the replay matches the recording; "exact" only when that was checked. */
export function Exactness({ replay }: { replay: Replay }) {
  const { opened } = replay.state;
  if (!opened) return null;
  if (opened.exact === true)
    return (
      <Badge tone="good" title="The replay matches the recording: same return, length and ending.">
        exact
      </Badge>
    );
  return (
    <Tooltip text={opened.note}>
      <button type="button" className="cursor-help">
        <Badge tone="warn">{opened.exact === false ? "not exact" : "not checked"}</Badge>
      </button>
    </Tooltip>
  );
}
