/** The dark stage: live frames with what they show written on it. One source at a time, named by its address. */
import { type ReactNode, useEffect, useRef, useState } from "react";
import { formatCount, formatSigned } from "@/lib/format";
import { play } from "./play";
import type { StageReport } from "./player";

export interface StageProps {
  /** Path of the frames' WebSocket, such as /api/runs/<id>/frames; null: nothing to show. */
  path: string | null;
  label: string;
  /** What stands on the empty stage, and when the stream has ended. */
  placeholder: ReactNode;
}

const QUIET: StageReport = { state: "connecting", header: null, drawn_fps: 0 };

export function Stage({ path, label, placeholder }: StageProps) {
  const [report, setReport] = useState<StageReport>(QUIET);
  const place = useRef<HTMLDivElement>(null);

  useEffect(() => {
    setReport(QUIET);
    if (path === null) return;
    // A canvas given to a Worker cannot be taken back: each source gets its own.
    const canvas = document.createElement("canvas");
    canvas.className = "size-full object-contain";
    place.current!.replaceChildren(canvas);
    const playing = play(addressOf(path), canvas, setReport);
    const onVisibility = () => playing.setHidden(document.hidden);
    document.addEventListener("visibilitychange", onVisibility);
    return () => {
      document.removeEventListener("visibilitychange", onVisibility);
      playing.stop();
      canvas.remove();
    };
  }, [path]);

  const { header } = report;
  return (
    <div
      className="relative aspect-3/2 w-full overflow-hidden bg-stage text-on-stage"
      role="img"
      aria-label={label}
    >
      <div ref={place} className="absolute inset-0" />
      {header === null ? (
        <div className="absolute inset-0 grid place-items-center p-6 text-center text-sm">{placeholder}</div>
      ) : (
        <StageBadges report={report} />
      )}
    </div>
  );
}

function StageBadges({ report }: { report: StageReport }) {
  const header = report.header!;
  return (
    <div className="figures absolute inset-x-3 top-3 flex flex-wrap gap-2 text-2xs">
      <Chip>{`EPISODE ${formatCount(header.episode)}`}</Chip>
      <Chip>{`STEP ${formatCount(header.step)}`}</Chip>
      <Chip>{`REWARD ${formatSigned(header.return)}`}</Chip>
      <span className="ml-auto flex gap-2">
        {report.state === "playing" && report.drawn_fps > 0 && <Chip>{`${report.drawn_fps} FPS`}</Chip>}
        {report.state === "connecting" && <Chip>RECONNECTING</Chip>}
        {report.state === "ended" && <Chip>ENDED</Chip>}
      </span>
    </div>
  );
}

const Chip = ({ children }: { children: ReactNode }) => (
  <span className="rounded-sm bg-[rgb(0_0_0/0.62)] px-2 py-0.5 whitespace-nowrap">{children}</span>
);

function addressOf(path: string): string {
  const scheme = window.location.protocol === "https:" ? "wss" : "ws";
  return `${scheme}://${window.location.host}${path}`;
}
