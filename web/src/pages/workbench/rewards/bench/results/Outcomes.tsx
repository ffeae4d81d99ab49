/** The distribution of both returns among episodes that ended alike: a box from quartile to quartile, a line to the ends. */

import { extentOf } from "@/charts/sweeps/axes";
import { OUTCOME_WORDS, type OutcomeSpread, type Spread } from "@/entities/bench/ranking";
import { formatNumber, formatPlural } from "@/lib/format";

export function Outcomes({ outcomes }: { outcomes: readonly OutcomeSpread[] }) {
  const own = extentOf(outcomes.flatMap((one) => [one.own.low, one.own.high]));
  const env = extentOf(outcomes.flatMap((one) => [one.env.low, one.env.high]));
  return (
    <section aria-label="Returns by outcome" className="min-w-0">
      <h4 className="label mb-2 text-ink-3">Returns by outcome</h4>
      <ul className="flex flex-col gap-3">
        {outcomes.map((one) => (
          <li key={one.outcome} className="text-xs">
            <p className="mb-1 flex justify-between gap-3">
              <span>{OUTCOME_WORDS[one.outcome]}</span>
              <span className="figures text-2xs text-ink-3">{formatPlural(one.episodes, "episode")}</span>
            </p>
            <Row title="yours" spread={one.own} range={own} colour="bg-live" />
            <Row title="environment" spread={one.env} range={env} colour="bg-ink-3" />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface RowProps {
  title: string;
  spread: Spread;
  range: readonly [number, number];
  colour: string;
}

function Row({ title, spread, range, colour }: RowProps) {
  const share = (value: number) => `${((value - range[0]) / (range[1] - range[0])) * 100}%`;
  const between = (from: number, to: number) => ({
    left: share(from),
    width: `max(2px, ${((to - from) / (range[1] - range[0])) * 100}%)`,
  });
  return (
    <div className="grid grid-cols-[5.5rem_minmax(0,1fr)_4.5rem] items-center gap-2 py-0.5">
      <span className="text-2xs text-ink-3">{title}</span>
      <span aria-hidden="true" className="relative h-3 overflow-hidden rounded-sm bg-sunken">
        <span className="absolute inset-y-[5px] bg-line-strong" style={between(spread.low, spread.high)} />
        <span className={`absolute inset-y-0 opacity-70 ${colour}`} style={between(spread.q25, spread.q75)} />
        <span className="absolute inset-y-0 w-0.5 bg-ink" style={{ left: share(spread.median) }} />
      </span>
      <span
        className="figures text-right text-2xs"
        title={`from ${formatNumber(spread.low)} to ${formatNumber(spread.high)}, half of them ${formatNumber(spread.q25)} to ${formatNumber(spread.q75)}`}
      >
        <span className="sr-only">median </span>
        {formatNumber(spread.median)}
      </span>
    </div>
  );
}
