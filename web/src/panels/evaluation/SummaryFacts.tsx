/** The figures of an evaluation: every episode's return on one line, the numbers of its code, and its protocol. */
import type { EvaluationSummary } from "@/api/types";
import { betweenText, hasInterval, intervalOf, levelText } from "@/entities/evaluations/interval";
import { citedProtocol } from "@/entities/protocols/words";
import { formatNumber, formatPercent } from "@/lib/format";
import { Badge } from "@/ui/Badge";
import { NumbersTable } from "./NumbersTable";

export function SummaryFacts({ summary }: { summary: EvaluationSummary }) {
  const facts: [string, string, string?][] = [
    [
      "mean return",
      formatNumber(summary.return_mean, 4),
      betweenText(summary.return_ci, summary.return_ci_level),
    ],
    ["median", formatNumber(summary.return_median, 4)],
    ["spread", `${formatNumber(summary.return_min, 4)} … ${formatNumber(summary.return_max, 4)}`],
    ["mean length", formatNumber(summary.length_mean, 4)],
    ["endings", `${summary.terminated} terminated, ${summary.truncated} truncated`],
  ];
  if (summary.played)
    facts.push([
      "steps by a person",
      formatPercent(summary.played.by_person / Math.max(1, summary.played.steps)),
      "recorded episodes of a play",
    ]);
  if (summary.successes !== null && summary.success_threshold !== null)
    facts.push([
      "successes",
      `${summary.successes} of ${summary.episodes} (${formatPercent(summary.successes / summary.episodes)})`,
      `at or above ${formatNumber(summary.success_threshold, 4)}`,
    ]);
  return (
    <div className="flex flex-col gap-4">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 lg:grid-cols-3">
        {facts.map(([name, value, note]) => (
          <div key={name}>
            <dt className="label sentence text-ink-3">{name}</dt>
            <dd className="figures">{value}</dd>
            {note && <dd className="text-xs text-ink-2">{note}</dd>}
          </div>
        ))}
      </dl>
      <Verdict summary={summary} />
      <Returns summary={summary} />
      <NumbersTable summary={summary} />
      <p className="text-xs text-ink-2">{`Protocol: ${citedProtocol(summary)}`}</p>
    </div>
  );
}

/** Whether it passes the threshold of its protocol. */
function Verdict({ summary: { verdict } }: { summary: EvaluationSummary }) {
  if (!verdict) return null;
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm">
      <Badge tone={verdict.passed ? "good" : "warn"}>
        {verdict.passed === null ? "not judged" : verdict.passed ? "passed" : "not passed"}
      </Badge>
      {verdict.sentence}
    </p>
  );
}

/** One dot per episode: the spread shows more than a mean. */
function Returns({ summary }: { summary: EvaluationSummary }) {
  const { returns, seeds, return_min: low, return_max: high } = summary;
  const ci = intervalOf(summary);
  const span = high - low || 1;
  const at = (value: number) => (high === low ? 50 : 4 + ((value - low) / span) * 92);
  return (
    <div
      role="img"
      aria-label={`Returns of ${returns.length} episodes between ${formatNumber(low)} and ${formatNumber(high)}`}
    >
      <div className="relative h-8 rounded-sm bg-sunken">
        {hasInterval(summary) && (
          <span
            className="absolute inset-y-1 rounded-sm bg-line-strong opacity-60"
            style={{ left: `${at(ci[0])}%`, width: `${Math.max(0.5, at(ci[1]) - at(ci[0]))}%` }}
          />
        )}
        {returns.map((value, i) => (
          <span
            key={i}
            title={`seed ${seeds[i]}: ${formatNumber(value, 5)}`}
            className="absolute top-1/2 size-2 -translate-1/2 rounded-full bg-ink opacity-70"
            style={{ left: `${at(value)}%` }}
          />
        ))}
      </div>
      <p className="figures mt-1 flex justify-between text-2xs text-ink-3">
        {high === low ? (
          <span className="mx-auto">{formatNumber(low, 4)}</span>
        ) : (
          <>
            <span>{formatNumber(low, 4)}</span>
            <span>{formatNumber(high, 4)}</span>
          </>
        )}
      </p>
      <p className="text-center text-xs text-ink-3">
        {summary.return_ci_level && hasInterval(summary)
          ? `One dot per episode; the bar is the interval of the mean (${levelText(summary.return_ci_level)}).`
          : "One dot per episode."}
      </p>
    </div>
  );
}
