/** The configurations over their seeds: one measure with its intervals, and what became of seeds that are missing. */
import type { Comparison } from "@/api/types";
import { betweenText, rangeText } from "@/entities/evaluations/interval";
import type { Look } from "@/lib/colour";
import { formatCount, formatNumber, formatPercent, formatSigned, NOTHING } from "@/lib/format";
import { Badge } from "@/ui/Badge";
import { Panel } from "@/ui/Panel";

const HEAD = "px-4 py-2 text-left text-xs font-medium text-ink-3";
const CELL = "figures px-4 py-2 text-xs whitespace-nowrap";
const HEADS = [
  "Configuration",
  "Seeds",
  "Mean",
  "Interval of the mean",
  "Deviation",
  "Median",
  "IQM",
  "Interval of the IQM",
  "Lowest – highest",
  "Time to threshold",
];

export type Group = Comparison["groups"][number];

export interface GroupTableProps {
  comparison: Comparison;
  /** How it is drawn; null where its runs are drawn one by one. */
  look: (group: Group) => Look | null;
}

export function GroupTable({ comparison, look }: GroupTableProps) {
  const { measure, measures, groups } = comparison;
  const notes = notesOf(groups, measure);
  return (
    <Panel
      title="Configurations over their seeds"
      aside={<Badge>{measures[measure] ?? measure}</Badge>}
      flush
    >
      <section aria-label="Statistics over seeds" tabIndex={0} className="ring-inside overflow-x-auto">
        <table className="w-full text-sm">
          <thead>
            <tr className="border-b">
              {HEADS.map((head) => (
                <th key={head} scope="col" className={HEAD}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groups.map((group) => (
              <tr key={group.label} className="border-b last:border-0">
                <th scope="row" className="px-4 py-2 text-left font-normal">
                  <span className="flex items-center gap-2 max-sm:min-w-44 sm:whitespace-nowrap">
                    <Dot look={look(group)} />
                    {group.label}
                  </span>
                </th>
                <Cells group={group} measure={measure} />
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {notes.length > 0 && (
        <ul aria-label="Notes on the seeds" className="flex flex-col gap-1 border-t px-4 py-3 text-sm">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <Differences comparison={comparison} />
    </Panel>
  );
}

function Dot({ look }: { look: Look | null }) {
  if (look === null) return null;
  return (
    <span aria-hidden="true" className="size-2.5 shrink-0 rounded-full" style={{ background: look.colour }} />
  );
}

function Cells({ group, measure }: { group: Group; measure: string }) {
  const found = group.statistics[measure];
  if (!found)
    return (
      <td colSpan={HEADS.length - 1} className="px-4 py-2 text-xs text-ink-2">
        No run of it has this number yet.
      </td>
    );
  return (
    <>
      <td className={CELL}>{formatCount(found.seeds)}</td>
      <td className={CELL}>{formatNumber(found.mean, 4)}</td>
      <td className={CELL}>{rangeText(found.mean_interval, found.mean_level)}</td>
      <td className={CELL}>{formatNumber(found.deviation, 4)}</td>
      <td className={CELL}>{formatNumber(found.median, 4)}</td>
      <td className={CELL}>{formatNumber(found.iqm, 4)}</td>
      <td className={CELL}>{rangeText(found.iqm_interval, found.mean_level)}</td>
      <td className={CELL}>{`${formatNumber(found.low, 4)} – ${formatNumber(found.high, 4)}`}</td>
      <td className="min-w-52 px-4 py-2 text-xs">{group.threshold_times?.sentence ?? NOTHING}</td>
    </>
  );
}

/** Each with the configuration it is about. */
export function notesOf(groups: readonly Group[], measure: string): string[] {
  return groups.flatMap(({ label, notes, statistics }) => {
    const missing = statistics[measure]?.missing ?? 0;
    const found = [
      ...notes,
      ...(missing > 0 ? [`${formatCount(missing)} of its seeds lack this number.`] : []),
    ];
    return found.map((note) => (groups.length > 1 ? `${label}: ${note}` : note));
  });
}

function Differences({ comparison: { differences, measure } }: { comparison: Comparison }) {
  const shown = differences.filter((one) => one.measure === measure);
  if (shown.length === 0) return null;
  return (
    <details className="border-t px-4 py-3 text-sm text-ink-2">
      <summary className="w-fit hover:text-ink">Every pair by itself, without a correction</summary>
      <ul className="mt-2 flex flex-col gap-1">
        {shown.map((one) => (
          <li key={`${one.first} ${one.second}`}>{differenceText(one)}</li>
        ))}
      </ul>
    </details>
  );
}

export function differenceText(one: Comparison["differences"][number]): string {
  const within = betweenText(one.interval, one.level, (value) => formatSigned(value, 4));
  const isClear = one.interval && (one.interval[0]! > 0 || one.interval[1]! < 0);
  const verdict = one.interval ? (isClear ? "" : " These seeds do not show which is better.") : "";
  const chance = `better in ${formatPercent(one.chance_first_better)} of the pairs of seeds`;
  return `${one.first} minus ${one.second}: ${formatSigned(one.mean, 4)}, ${within}; ${chance}.${verdict}`;
}
