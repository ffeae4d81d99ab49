/** The terms of a reward over an episode, stacked; a click moves the replay there. The numbers at the cursor are below. */
import { memo, useMemo, useRef } from "react";
import { lookAt } from "@/lib/colour";
import { formatNumber, formatSigned } from "@/lib/format";
import { useStore } from "@/lib/store";
import { theme } from "@/lib/theme";
import {
  type Bar,
  extentOfBars,
  type OwnTimeline,
  shareOf,
  stackedBars,
  termNames,
  totalsOf,
  valuesAt,
} from "./timeline";

export interface TermTimelineProps {
  timeline: OwnTimeline;
  step: number;
  /** Of the longest episode that is shown: all of them have the same scale. */
  length: number;
  onSeek: (step: number) => void;
}

const COLUMNS = 240;
const HEIGHT = 96;

export function TermTimeline({ timeline, step, length, onSeek }: TermTimelineProps) {
  const place = useRef<HTMLDivElement>(null);
  const isDark = useStore(theme) === "dark";
  const colours = useMemo(
    () => termNames(timeline).map((_, i) => lookAt(i, isDark).colour),
    [timeline, isDark],
  );
  const bars = useMemo(() => stackedBars(timeline, COLUMNS), [timeline]);
  const share = length === 0 ? 0 : step / length;
  const seek = (clientX: number) => {
    const box = place.current!.getBoundingClientRect();
    onSeek(Math.max(0, Math.min(length, Math.round(((clientX - box.left) / box.width) * length))));
  };
  return (
    <section aria-label={`Terms of ${timeline.name}`} className="border-b">
      <div
        ref={place}
        // The slider of the strip moves the same cursor with the keyboard.
        aria-hidden="true"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          seek(event.clientX);
        }}
        onPointerMove={(event) => event.buttons > 0 && seek(event.clientX)}
        className="relative cursor-ew-resize touch-none select-none"
        style={{ height: HEIGHT }}
      >
        <div className="absolute inset-y-0 left-0" style={{ width: `${shareOf(timeline, length) * 100}%` }}>
          <Bars bars={bars} colours={colours} columns={Math.min(COLUMNS, timeline.rewards.length)} />
        </div>
        <div
          className="absolute inset-y-0 w-0.5 -translate-x-px bg-ink"
          style={{ left: `${share * 100}%` }}
        />
      </div>
      <Numbers timeline={timeline} step={step} colours={colours} />
    </section>
  );
}

interface BarsProps {
  bars: readonly Bar[];
  colours: readonly string[];
  columns: number;
}

/** One path per term: hundreds of rectangles would be slow to follow a cursor. */
const Bars = memo(function Bars({ bars, colours, columns }: BarsProps) {
  const [low, high] = extentOfBars(bars);
  const y = (value: number) => ((high - value) / (high - low)) * HEIGHT;
  const paths = colours.map((_, term) =>
    bars
      .filter((bar) => bar.term === term)
      .map(({ at, from, to }) => `M${at} ${y(from)}H${at + 1}V${y(to)}H${at}Z`)
      .join(""),
  );
  return (
    <svg
      viewBox={`0 0 ${Math.max(1, columns)} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="absolute inset-0 size-full"
    >
      <title>Terms of the reward, stacked</title>
      {paths.map((path, term) => (
        <path key={term} d={path} fill={colours[term]} shapeRendering="crispEdges" />
      ))}
      <line
        x1={0}
        x2={columns}
        y1={y(0)}
        y2={y(0)}
        stroke="var(--line-strong)"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
});

function Numbers({
  timeline,
  step,
  colours,
}: Pick<TermTimelineProps, "timeline" | "step"> & { colours: readonly string[] }) {
  const totals = useMemo(() => totalsOf(timeline), [timeline]);
  const at = valuesAt(timeline, totals, step);
  return (
    <dl className="figures flex flex-wrap gap-x-5 gap-y-1 border-t px-4 py-1.5 text-2xs">
      <Pair
        name={timeline.name}
        value={formatSigned(at.own, 4)}
        swatch={at.terms.length ? null : colours[0]}
      />
      {at.terms.map(({ name, value }, i) => (
        <Pair key={name} name={name} value={formatSigned(value, 4)} swatch={colours[i]} />
      ))}
      <Pair name="environment’s reward" value={formatSigned(at.env, 4)} />
      <Pair
        name="total: yours / environment"
        value={`${formatNumber(at.ownSoFar, 4)} / ${formatNumber(at.envSoFar, 4)}`}
      />
    </dl>
  );
}

function Pair({ name, value, swatch }: { name: string; value: string; swatch?: string | null }) {
  return (
    <div className="flex min-w-0 items-center gap-1.5">
      {swatch && <span aria-hidden="true" className="size-2.5 shrink-0" style={{ background: swatch }} />}
      <dt className="min-w-0 truncate text-ink-2">{name}</dt>
      <dd className="min-w-14">{value}</dd>
    </div>
  );
}
