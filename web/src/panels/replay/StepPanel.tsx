/** What the agent observed and did at one step, and the outputs of its policy. */
import { formatNumber, formatPercent, formatSigned } from "@/lib/format";
import { cx } from "@/ui/cx";
import type { Moment, Opened } from "./messages";
import { actionBars, actionText, type Bar, observationBars, shortText, thoughtsOf } from "./thoughts";

export type Names = Pick<Opened, "observation_names" | "action_names">;

export function StepPanel({ moment, names }: { moment: Moment; names: Names }) {
  const { observation_names, action_names } = names;
  const info = Object.entries(moment.info ?? {});
  const thoughts = thoughtsOf(moment, action_names);
  const next = actionBars(moment.next_action, action_names);
  return (
    <div className="grid gap-x-8 gap-y-5 p-4 @2xl:grid-cols-2">
      <dl className="text-sm">
        <Fact name="action taken" value={actionText(moment.action, action_names)} />
        <Fact name="reward" value={formatSigned(moment.reward, 4)} help="For the action that led here." />
        <Fact name="return so far" value={formatNumber(moment.return, 5)} help="The rewards added up." />
        <Fact name="next action" value={actionText(moment.next_action, action_names)} />
        <Fact name="its probability" value={formatPercent(moment.chosen_probability)} />
        <Fact
          name="value of this state"
          value={formatNumber(moment.value, 4)}
          help="The discounted return the agent still expects from here on."
        />
        {info.map(([name, value]) => (
          <Fact key={name} name={`info.${name}`} value={shortText(value)} />
        ))}
      </dl>
      <div className="flex min-w-0 flex-col gap-4">
        {thoughts.map((group) => (
          <Bars key={group.title} title={group.title} help={group.help} bars={group.bars} />
        ))}
        {next && <Bars title="Next action" bars={next} />}
        <Observation moment={moment} names={observation_names} />
      </div>
    </div>
  );
}

export function Observation({ moment, names }: { moment: Moment; names: readonly string[] }) {
  const seen = observationBars(moment.observation, names);
  if (seen) return <Bars title="Observation" bars={seen} />;
  const name = names.length === 1 ? `${names[0]}: ` : "";
  return (
    <div>
      <h3 className="label mb-1 text-ink-3">Observation</h3>
      <p className="figures text-xs break-words">{name + shortText(moment.observation)}</p>
    </div>
  );
}

export function Fact({ name, value, help }: { name: string; value: string; help?: string }) {
  return (
    <div className="flex justify-between gap-4 border-b py-1 last:border-0" title={help}>
      <dt className="shrink-0 text-ink-2">{name}</dt>
      <dd className="figures min-w-0 truncate text-right text-xs leading-5" title={value}>
        {value}
      </dd>
    </div>
  );
}

export function Bars({ title, help, bars }: { title: string; help?: string; bars: readonly Bar[] }) {
  const hasNegative = bars.some((bar) => bar.value < 0);
  return (
    <div>
      <h3 className="label mb-1 text-ink-3" title={help}>
        {title}
      </h3>
      <ul className="flex flex-col gap-0.5">
        {bars.map((bar) => (
          <li
            key={bar.label}
            className="figures grid grid-cols-[minmax(3rem,40%)_1fr_4rem] items-center gap-2 text-2xs"
          >
            <span
              className={cx("truncate text-ink-2", bar.isChosen && "font-semibold text-ink")}
              title={bar.label}
            >
              {bar.label}
              {bar.isChosen && <span className="sr-only"> (chosen)</span>}
            </span>
            <span className="relative h-2.5 min-w-0 bg-sunken">
              <span
                className={cx("absolute inset-y-0", bar.isChosen ? "bg-ink" : "bg-line-strong")}
                style={spanOf(bar.share, hasNegative)}
              />
            </span>
            <span className="text-right">{bar.text}</span>
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
