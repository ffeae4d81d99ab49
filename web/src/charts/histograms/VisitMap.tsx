/** How often each cell of a grid was visited: rarely to often on a logarithmic scale, never is left empty. */
import { memo } from "react";
import { rampColour } from "@/charts/sweeps/ramp";
import { formatCount, formatPercent } from "@/lib/format";

export interface VisitMapProps {
  title: string;
  /** `visits[row][column]`, the first row at the bottom. */
  visits: readonly (readonly number[])[];
  isDark: boolean;
}

export const VisitMap = memo(function VisitMap({ title, visits, isDark }: VisitMapProps) {
  const [rows, columns] = [visits.length, visits[0]?.length ?? 0];
  const most = Math.max(1, ...visits.flat());
  const seen = visits.flat().filter((count) => count > 0).length;
  return (
    <svg
      role="img"
      aria-label={`${title}: ${formatCount(seen)} of ${formatCount(rows * columns)} cells visited (${formatPercent(seen / Math.max(1, rows * columns))}), one of them ${formatCount(most)} times.`}
      viewBox={`0 0 ${columns} ${rows}`}
      preserveAspectRatio="none"
      className="block aspect-square w-full max-w-64 rounded-sm border bg-sunken"
    >
      {visits.flatMap((row, r) =>
        row.map((count, c) =>
          count === 0 ? null : (
            <rect
              key={`${r} ${c}`}
              x={c}
              y={rows - 1 - r}
              width={1.02}
              height={1.02}
              fill={rampColour(Math.log1p(count) / Math.log1p(most), isDark)}
            >
              <title>{`${formatCount(count)} visits`}</title>
            </rect>
          ),
        ),
      )}
    </svg>
  );
});
