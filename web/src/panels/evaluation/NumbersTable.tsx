/** What evaluation code has measured, with the interval of each mean; or why there is nothing. */
import type { EvaluationSummary, NumberSummary } from "@/api/types";
import { rangeText } from "@/entities/evaluations/interval";
import { formatNumber } from "@/lib/format";

const HEAD = "label py-1.5 pr-4 text-left text-ink-3";
const CELL = "figures py-1.5 pr-4 text-xs whitespace-nowrap";

export function NumbersTable({ summary }: { summary: EvaluationSummary }) {
  const { numbers, code, code_problem: problem } = summary;
  if (problem) return <p className="text-sm text-warn">{problem.message}</p>;
  if (Object.keys(numbers).length === 0) return null;
  return <Numbers numbers={numbers} caption={`Numbers of ${code}`} />;
}

export function Numbers({ numbers, caption }: { numbers: Record<string, NumberSummary>; caption: string }) {
  return (
    <section aria-label={caption} tabIndex={0} className="overflow-x-auto">
      <table className="w-full text-sm">
        <caption className="label pb-1 text-left text-ink-3">{caption}</caption>
        <thead>
          <tr className="border-b">
            {["Number", "Mean", "Interval of the mean", "Median", "Lowest to highest"].map((head) => (
              <th key={head} scope="col" className={HEAD}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Object.entries(numbers).map(([name, one]) => (
            <tr key={name} className="border-b last:border-0">
              <th scope="row" className="py-1.5 pr-4 text-left font-normal">
                {name}
              </th>
              <td className={CELL}>{`${formatNumber(one.mean, 4)} ± ${formatNumber(one.std, 3)}`}</td>
              <td className={CELL}>{rangeText(one.ci, one.ci_level)}</td>
              <td className={CELL}>{formatNumber(one.median, 4)}</td>
              <td className={CELL}>{`${formatNumber(one.min, 4)} … ${formatNumber(one.max, 4)}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
