/** The marks of all episodes, and the axes. Drawn again only when the episodes or the size change, not under the pointer. */
import { memo } from "react";
import type { Scored } from "@/entities/bench/ranking";
import { formatNumber } from "@/lib/format";
import { BOTTOM, COLOURS, type Extent, HEIGHT, LEFT, RIGHT, SHAPES, xOf, yOf } from "./scatter";

export interface ScatterMarksProps {
  scored: readonly Scored[];
  xs: Extent;
  ys: Extent;
  width: number;
}

export const ScatterMarks = memo(function ScatterMarks({ scored, xs, ys, width }: ScatterMarksProps) {
  const [x, y] = [xOf(xs, width), yOf(ys)];
  return (
    <>
      <Axes xs={xs} ys={ys} width={width} />
      {scored.map(({ episode, env, own }) => (
        <path
          key={`${episode.run_id} ${episode.episode}`}
          d={SHAPES[episode.outcome]}
          transform={`translate(${x(env)} ${y(own)})`}
          fill={COLOURS[episode.outcome]}
          fillOpacity={0.55}
        />
      ))}
    </>
  );
});

const SHARES = [0, 0.5, 1];
const ANCHORS = ["start", "middle", "end"] as const;

function Axes({ xs, ys, width }: Omit<ScatterMarksProps, "scored">) {
  const [x, y] = [xOf(xs, width), yOf(ys)];
  return (
    <g className="figures fill-ink-3 text-2xs">
      {SHARES.map((share) => {
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
      {SHARES.map((share, i) => {
        const value = xs[0] + share * (xs[1] - xs[0]);
        return (
          <text key={share} x={x(value)} y={HEIGHT - 22} textAnchor={ANCHORS[i]}>
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
