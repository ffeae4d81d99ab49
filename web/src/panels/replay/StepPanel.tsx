/** What the agent observed and did at one step, and the outputs of its policy. */
import { formatNumber, formatPercent, formatSigned } from "@/lib/format";
import { cx } from "@/ui/cx";
import type { Moment } from "./messages";
import { type Bar, observationBars, shortText, thoughtsOf } from "./thoughts";

export function StepPanel({ moment, actionNames }: { moment: Moment; actionNames?: readonly string[] }) {
  const named = (action: unknown) =>
    typeof action === "number" && actionNames?.[action]
      ? `${action} · ${actionNames[action]}`
      : shortText(action);
  const thoughts = thoughtsOf(moment, actionNames);
  const seen = observationBars(moment.observation);
  const info = Object.entries(moment.info ?? {});
  return (
    <div className="grid gap-x-8 gap-y-5 p-4 sm:grid-cols-2">
      <dl className="text-sm">
        <Fact name="action taken" value={named(moment.action)} />
        <Fact name="reward" value={formatSigned(moment.reward, 4)} />
        <Fact name="return so far" value={formatNumber(moment.return, 5)} />
        <Fact name="next action" value={named(moment.next_action)} />
        <Fact name="its probability" value={formatPercent(moment.chosen_probability)} />
        <Fact name="value of this state" value={formatNumber(moment.value, 4)} />
        {info.map(([name, value]) => (
          <Fact key={name} name={`info.${name}`} value={shortText(value)} />
        ))}
      </dl>
      <div className="flex min-w-0 flex-col gap-4">
        {thoughts.map((group) => (
          <Bars key={group.title} title={group.title} bars={group.bars} />
        ))}
        {seen ? (
          <Bars title="Observation" bars={seen} />
        ) : (
          <div>
            <h3 className="label mb-1 text-ink-3">Observation</h3>
            <p className="figures text-xs break-words">{shortText(moment.observation)}</p>
          </div>
        )}
      </div>
    </div>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex justify-between gap-4 border-b py-1 last:border-0">
      <dt className="text-ink-2">{name}</dt>
      <dd className="figures min-w-0 truncate text-right text-xs leading-5">{value}</dd>
    </div>
  );
}

function Bars({ title, bars }: { title: string; bars: readonly Bar[] }) {
  const hasNegative = bars.some((bar) => bar.value < 0);
  return (
    <div>
      <h3 className="label mb-1 text-ink-3">{title}</h3>
      <ul className="flex flex-col gap-0.5">
        {bars.map((bar) => (
          <li key={bar.label} className="figures flex items-center gap-2 text-2xs">
            <span
              className={cx("w-16 shrink-0 truncate text-ink-2", bar.isChosen && "font-semibold text-ink")}
            >
              {bar.label}
              {bar.isChosen && <span className="sr-only"> (chosen)</span>}
            </span>
            <span className="relative h-2.5 min-w-0 flex-1 bg-sunken">
              <span
                className={cx("absolute inset-y-0", bar.isChosen ? "bg-ink" : "bg-line-strong")}
                style={spanOf(bar.share, hasNegative)}
              />
            </span>
            <span className="w-16 shrink-0 text-right">{formatNumber(bar.value, 3)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** With negative values zero is in the middle. */
function spanOf(share: number, hasNegative: boolean): { left: string; width: string } {
  if (!hasNegative) return { left: "0%", width: `${share * 100}%` };
  const half = share * 50;
  return { left: `${half < 0 ? 50 + half : 50}%`, width: `${Math.abs(half)}%` };
}
