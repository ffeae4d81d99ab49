/** Each episode by its return under the environment's reward and under the user's; a click opens it. */
import { useMemo, useRef, useState } from "react";
import type { BenchEpisode } from "@/api/types";
import { extentOf } from "@/charts/sweeps/axes";
import { useWidth } from "@/charts/sweeps/use-width";
import { OUTCOME_WORDS, OUTCOMES, type Outcome, type Scored } from "@/entities/bench/ranking";
import { formatNumber } from "@/lib/format";

export interface ReturnScatterProps {
  name: string;
  scored: readonly Scored[];
  watched: BenchEpisode | null;
  onWatch: (episode: BenchEpisode) => void;
}

const HEIGHT = 260;
const [LEFT, RIGHT, TOP, BOTTOM] = [52, 12, 10, 38];
const NEAR_PX = 14;
const COLOURS: Record<Outcome, string> = {
  success: "var(--good)",
  terminated: "var(--warn)",
  truncated: "var(--live)",
  unfinished: "var(--ink-3)",
};

export function ReturnScatter({ name, scored, watched, onWatch }: ReturnScatterProps) {
  const holder = useRef<HTMLDivElement>(null);
  const width = useWidth(holder, 320);
  const [hovered, setHovered] = useState<Scored | null>(null);
  const [xs, ys] = useMemo(
    () => [extentOf(scored.map(({ env }) => env)), extentOf(scored.map(({ own }) => own))],
    [scored],
  );
  const x = (value: number) => LEFT + 6 + ((value - xs[0]) / (xs[1] - xs[0])) * (width - LEFT - RIGHT - 12);
  const y = (value: number) => TOP + 6 + ((ys[1] - value) / (ys[1] - ys[0])) * (HEIGHT - TOP - BOTTOM - 12);
  const nearest = (event: React.PointerEvent<SVGSVGElement>): Scored | null => {
    const box = event.currentTarget.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
    let [best, away]: [Scored | null, number] = [null, NEAR_PX];
    for (const one of scored) {
      const distance = Math.hypot(x(one.env) - px, y(one.own) - py);
      if (distance < away) [best, away] = [one, distance];
    }
    return best;
  };
  const present = OUTCOMES.filter((outcome) => scored.some(({ episode }) => episode.outcome === outcome));
  const marked = hovered ?? scored.find(({ episode }) => episode === watched) ?? null;
  return (
    <figure ref={holder} className="min-w-0">
      <svg
        role="img"
        aria-label={`Returns of ${scored.length} episodes: the environment’s to the right, those of ${name} upwards. The table below lists the episodes whose rank differs.`}
        width={width}
        height={HEIGHT}
        className={hovered ? "block cursor-pointer" : "block"}
        onPointerMove={(event) => setHovered(nearest(event))}
        onPointerLeave={() => setHovered(null)}
        onPointerDown={(event) => {
          const found = nearest(event);
          if (found) onWatch(found.episode);
        }}
      >
        <Axes width={width} xs={xs} ys={ys} x={x} y={y} />
        {scored.map(({ episode, env, own }) => (
          <circle
            key={`${episode.run_id} ${episode.episode}`}
            cx={x(env)}
            cy={y(own)}
            r={3}
            fill={COLOURS[episode.outcome]}
            fillOpacity={0.55}
          />
        ))}
        {marked && (
          <circle
            cx={x(marked.env)}
            cy={y(marked.own)}
            r={6}
            className="fill-none stroke-ink"
            strokeWidth={2}
          />
        )}
      </svg>
      <figcaption className="flex min-h-8 flex-wrap gap-x-4 text-2xs text-ink-2">
        {hovered ? (
          <span className="figures">
            {`episode ${hovered.episode.episode} of ${hovered.episode.run_id}: ${formatNumber(hovered.env, 4)} and ${formatNumber(hovered.own, 4)}; click to watch`}
          </span>
        ) : (
          present.map((outcome) => (
            <span key={outcome} className="inline-flex items-center gap-1.5">
              <span
                aria-hidden="true"
                className="size-2 rounded-full"
                style={{ background: COLOURS[outcome] }}
              />
              {OUTCOME_WORDS[outcome]}
            </span>
          ))
        )}
      </figcaption>
    </figure>
  );
}

type Scale = (value: number) => number;
type Extent = readonly [number, number];

function Axes({ width, xs, ys, x, y }: { width: number; xs: Extent; ys: Extent; x: Scale; y: Scale }) {
  return (
    <g className="figures fill-ink-3 text-2xs">
      {[0, 0.5, 1].map((share) => {
        const value = ys[0] + share * (ys[1] - ys[0]);
        return (
          <g key={share}>
            <line x1={LEFT} x2={width - RIGHT} y1={y(value)} y2={y(value)} className="stroke-line" />
            <text x={LEFT - 6} y={y(value) + 3.5} textAnchor="end">
              {formatNumber(value)}
            </text>
          </g>
        );
      })}
      {[0, 0.5, 1].map((share) => {
        const value = xs[0] + share * (xs[1] - xs[0]);
        return (
          <text
            key={share}
            x={x(value)}
            y={HEIGHT - 22}
            textAnchor={share === 0 ? "start" : share === 1 ? "end" : "middle"}
          >
            {formatNumber(value)}
          </text>
        );
      })}
      <text x={(LEFT + width - RIGHT) / 2} y={HEIGHT - 6} textAnchor="middle" className="font-sans">
        return under the environment’s reward
      </text>
      <text
        x={-(HEIGHT - BOTTOM) / 2}
        y={10}
        textAnchor="middle"
        transform="rotate(-90)"
        className="font-sans"
      >
        under yours
      </text>
    </g>
  );
}
