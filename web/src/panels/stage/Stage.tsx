/** The stage: frames with badges on top, margins in the colour of their edge. One source at a time. */
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useRef, useState } from "react";
import { socketAddress } from "@/api/addresses";
import { formatCount, formatSigned } from "@/lib/format";
import { cx } from "@/ui/cx";
import { type Playing, play } from "./play";
import type { StageReport } from "./player";

export interface StageHandle {
  /** Sends a command to the source of the frames: {op: "pause"}, {op: "seek", step: 12}. */
  send: (command: object) => void;
}

export interface StageProps {
  /** Path of the frames' WebSocket, such as /api/runs/<id>/frames; null: nothing to show. */
  path: string | null;
  label: string;
  /** Shown until the first frame. */
  placeholder: ReactNode;
  /** The badges on the picture: episode, step and reward by default; null for none. */
  badges?: ((report: StageReport) => ReactNode) | null;
  /** At most five times a second. */
  onReport?: (report: StageReport) => void;
  handle?: Ref<StageHandle>;
  /** Size of the stage; it keeps 3:2 when absent. */
  className?: string;
}

const QUIET: StageReport = { state: "connecting", header: null, drawn_fps: 0 };

export function Stage(props: StageProps) {
  const {
    path,
    label,
    placeholder,
    badges = stageBadges,
    onReport,
    handle,
    className = "aspect-3/2",
  } = props;
  const [report, setReport] = useState<StageReport>(QUIET);
  const place = useRef<HTMLDivElement>(null);
  const playing = useRef<Playing | null>(null);
  const latestOnReport = useRef(onReport);
  latestOnReport.current = onReport;
  useImperativeHandle(handle, () => ({ send: (command) => playing.current?.send(command) }), []);

  useEffect(() => {
    const take = (next: StageReport) => {
      setReport(next);
      latestOnReport.current?.(next);
    };
    take(QUIET);
    if (path === null) return;
    // A canvas given to a Worker cannot be taken back: each source gets its own.
    const canvas = document.createElement("canvas");
    canvas.className = "size-full object-contain";
    place.current!.replaceChildren(canvas);
    const current = play(socketAddress(path), canvas, take);
    playing.current = current;
    const onVisibility = () => current.setHidden(document.hidden);
    if (document.hidden) onVisibility();
    document.addEventListener("visibilitychange", onVisibility);
    return () => {
      document.removeEventListener("visibilitychange", onVisibility);
      current.stop();
      playing.current = null;
      canvas.remove();
    };
  }, [path]);

  return (
    <div
      className={cx("relative w-full overflow-hidden bg-stage text-on-stage", className)}
      style={report.header !== null && report.edge ? { backgroundColor: report.edge } : undefined}
    >
      <div ref={place} role="img" aria-label={label} className="absolute inset-0" />
      {report.header === null && (
        <div className="absolute inset-0 grid place-items-center p-6 text-center text-sm">
          {report.problem ? <StageProblem {...report.problem} /> : placeholder}
        </div>
      )}
      {report.header !== null && badges?.(report)}
    </div>
  );
}

function StageProblem({ message, next_step }: { message: string; next_step?: string }) {
  return (
    <p role="alert" className="flex max-w-96 flex-col gap-1">
      <span>{message}</span>
      {next_step && <span className="opacity-75">{next_step}</span>}
    </p>
  );
}

/** Episode, step and reward in the corner; how many pictures a second and the connection's state opposite. */
export function stageBadges(report: StageReport): ReactNode {
  const header = report.header!;
  return (
    <div className="figures absolute inset-x-3 top-3 flex flex-wrap gap-2 text-2xs">
      <Chip>{`EPISODE ${formatCount(header.episode)}`}</Chip>
      <Chip>{`STEP ${formatCount(header.step)}`}</Chip>
      <Chip>{`REWARD ${formatSigned(header.return)}`}</Chip>
      {header.note && <Chip title={header.note}>DIFFERS FROM RECORDING</Chip>}
      <StageState report={report} />
    </div>
  );
}

/** Step and reward, for an episode that the title names. */
export function stepBadges(report: StageReport): ReactNode {
  const header = report.header!;
  return (
    <div className="figures absolute inset-x-3 top-3 flex flex-wrap gap-2 text-2xs">
      <Chip>{`STEP ${formatCount(header.step)}`}</Chip>
      <Chip>{`REWARD ${formatSigned(header.return)}`}</Chip>
      {header.note && <Chip title={header.note}>DIFFERS FROM RECORDING</Chip>}
      <StageState report={report} />
    </div>
  );
}

/** Only pictures a second or connection, for a stage whose other badges are elsewhere. */
export function rateBadge(report: StageReport): ReactNode {
  return (
    <div className="figures absolute inset-x-3 top-3 flex text-2xs">
      <StageState report={report} />
    </div>
  );
}

/** How many pictures a second a live feed brings, otherwise the state of the connection. “FPS” is the learner's. */
function StageState({ report }: { report: StageReport }) {
  return (
    <span className="ml-auto flex gap-2">
      {report.state === "playing" && report.drawn_fps > 0 && report.header?.source !== "best" && (
        <Chip>{`${report.drawn_fps} pictures/s`}</Chip>
      )}
      {report.state === "connecting" && <Chip>RECONNECTING</Chip>}
      {report.state === "ended" && <Chip>ENDED</Chip>}
    </span>
  );
}

const Chip = ({ title, children }: { title?: string; children: ReactNode }) => (
  <span title={title} className="rounded-sm bg-[rgb(0_0_0/0.72)] px-2 py-0.5 whitespace-nowrap">
    {children}
  </span>
);
