/** Counts in bins of equal width, as small bars. */
import { formatCount, formatNumber } from "@/lib/format";

export interface HistogramProps {
  /** What is counted: "policy_net.0.weight". */
  title: string;
  low: number;
  high: number;
  counts: readonly number[];
  height?: number;
}

const WIDTH = 240;
/** Enough to tell the ends apart where all values are close together. */
const DIGITS = 4;

export function Histogram({ title, low, high, counts, height = 56 }: HistogramProps) {
  const most = Math.max(1, ...counts);
  const wide = WIDTH / Math.max(1, counts.length);
  const zero = low < 0 && high > 0 ? (-low / (high - low)) * WIDTH : null;
  return (
    <div>
      <svg
        role="img"
        aria-label={`${title}: ${formatCount(total(counts))} values from ${formatNumber(low)} to ${formatNumber(high)}, most of them near ${formatNumber(peak(low, high, counts))}.`}
        viewBox={`0 0 ${WIDTH} ${height}`}
        preserveAspectRatio="none"
        className="block w-full"
        style={{ height }}
      >
        {counts.map((count, i) => {
          const tall = count === 0 ? 0 : Math.max(1, (count / most) * (height - 1));
          return (
            <rect
              key={i}
              x={i * wide + 0.4}
              y={height - tall}
              width={Math.max(0.5, wide - 0.8)}
              height={tall}
              className="fill-ink-3"
            />
          );
        })}
        {zero !== null && (
          <line x1={zero} x2={zero} y1={0} y2={height} className="stroke-line-strong" strokeDasharray="2 3" />
        )}
        <line x1={0} x2={WIDTH} y1={height - 0.5} y2={height - 0.5} className="stroke-line-strong" />
      </svg>
      <p aria-hidden="true" className="figures mt-0.5 flex justify-between text-2xs text-ink-3">
        <span>{formatNumber(low, DIGITS)}</span>
        <span>{formatNumber(high, DIGITS)}</span>
      </p>
    </div>
  );
}

const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/** The middle of the fullest bin. */
export function peak(low: number, high: number, counts: readonly number[]): number {
  const at = counts.indexOf(Math.max(...counts));
  return low + ((at + 0.5) / Math.max(1, counts.length)) * (high - low);
}
