/** The numbers of a duel as tables. */
import { Link } from "@tanstack/react-router";
import type { DuelSummary, PairedDifference } from "@/api/types";
import { verdictOf } from "@/entities/duels/verdict";
import { betweenText, rangeText } from "@/entities/evaluations/interval";
import { useComparedLooks } from "@/lib/colour";
import { formatNumber, formatSigned } from "@/lib/format";
import { Badge } from "@/ui/Badge";

const HEAD = "label px-4 py-2 text-left text-ink-3";
const CELL = "figures px-4 py-2 text-xs whitespace-nowrap";

export function Sides({ result }: { result: DuelSummary }) {
  const lookOf = useComparedLooks(result.sides.map((side) => side.run_id));
  // Two checkpoints of one run have one colour, which would tell nothing.
  const hasColours = new Set(result.sides.map((side) => side.run_id)).size === result.sides.length;
  const most = Math.max(...result.sides.map((side) => side.wins));
  return (
    <section aria-label="Contestants" tabIndex={0} className="overflow-x-auto">
      <table className="w-full text-sm">
        <thead>
          <tr className="border-b">
            {["Contestant", "Wins", "Mean return", "Interval of the mean", "Median", "Length"].map((head) => (
              <th key={head} scope="col" className={HEAD}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {result.sides.map((side) => (
            <tr key={side.label} className="border-b last:border-0">
              <th scope="row" className="px-4 py-2 text-left font-normal">
                <span className="flex items-center gap-2">
                  {hasColours && (
                    <span
                      aria-hidden="true"
                      className="size-2.5 shrink-0 rounded-full"
                      style={{ background: lookOf(side.run_id).colour }}
                    />
                  )}
                  <Link to="/runs/$runId" params={{ runId: side.run_id }} className="hover:underline">
                    {side.label}
                  </Link>
                </span>
              </th>
              <td className={CELL}>
                {side.wins === most && most > 0 ? <Badge tone="strong">{side.wins}</Badge> : side.wins}
              </td>
              <td className={CELL}>{formatNumber(side.summary.return_mean, 4)}</td>
              <td className={CELL}>{rangeText(side.summary.return_ci, side.summary.return_ci_level)}</td>
              <td className={CELL}>{formatNumber(side.summary.return_median, 4)}</td>
              <td className={CELL}>{formatNumber(side.summary.length_mean, 4)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function Differences({ result }: { result: DuelSummary }) {
  return (
    <ul>
      {result.differences.map((difference) => (
        <li
          key={`${difference.first} ${difference.second}`}
          className="flex flex-col gap-1 border-b px-4 py-3 text-sm last:border-0"
        >
          <p>
            {difference.first} <span className="text-ink-3">minus</span> {difference.second}
          </p>
          <p className="figures text-lg">
            {formatSigned(difference.mean, 4)}
            <span className="ml-3 text-xs text-ink-2">
              {betweenText(difference.ci, difference.ci_level, (value) => formatSigned(value, 4))}
            </span>
          </p>
          <p className="text-xs text-ink-2">{wordsOf(difference)}</p>
        </li>
      ))}
    </ul>
  );
}

export function wordsOf(difference: PairedDifference): string {
  const { first, second, wins_first, wins_second, ties } = difference;
  const score = `${wins_first} to ${wins_second}${ties > 0 ? `, ${ties} ${ties === 1 ? "tie" : "ties"}` : ""}`;
  const verdict = verdictOf(difference);
  if (!difference.ci_level) return `${score}. So few seeds do not show which one is better.`;
  if (verdict === "open")
    return `${score}. The interval contains zero: these seeds do not show which one is better.`;
  return `${score}. ${verdict === "first" ? first : second} is better; the interval does not contain zero.`;
}
