/** The configurations over their seeds: mean with interval, spread, solved seeds, and the differences between them. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Comparison } from "@/api/types";
import { comparisonQuery } from "@/entities/comparisons/queries";
import { betweenText, rangeText } from "@/entities/evaluations/interval";
import { formatCount, formatNumber, formatPercent, formatSigned, NOTHING } from "@/lib/format";
import { Panel } from "@/ui/Panel";
import { Select } from "@/ui/Select";
import { ErrorState, Loading } from "@/ui/states";
import type { Compared } from "./groups";

const HEAD = "px-4 py-2 text-left text-xs font-medium text-ink-3";
const CELL = "figures px-4 py-2 text-xs whitespace-nowrap";
const HEADS = [
  "Configuration",
  "Seeds",
  "Mean",
  "Interval of the mean",
  "Median",
  "IQM",
  "Lowest – highest",
  "Solved",
];

export interface GroupTableProps {
  compared: readonly Compared[];
  colour: (runId: string) => string;
}

export function GroupTable({ compared, colour }: GroupTableProps) {
  const [measure, setMeasure] = useState("final");
  const query = useQuery(comparisonQuery(compared.flatMap((one) => one.runs.map((run) => run.id))));
  if (query.isPending) return <Loading lines={4} />;
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const { measures, groups, differences } = query.data;
  const lookOf = (runId: string | undefined) => compared.find((one) => one.id === runId);
  const nameOf = (label: string) =>
    lookOf(groups.find((group) => group.label === label)?.run_ids[0])?.label ?? label;
  return (
    <Panel
      title="Configurations over their seeds"
      flush
      actions={
        <div className="w-72 max-w-full">
          <Select
            label="Measure"
            value={measure}
            options={Object.entries(measures).map(([value, title]) => ({
              value,
              title: title.charAt(0).toUpperCase() + title.slice(1),
            }))}
            onChange={setMeasure}
          />
        </div>
      }
    >
      <section aria-label="Statistics over seeds" tabIndex={0} className="overflow-x-auto">
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
                    <span
                      aria-hidden="true"
                      className="size-2.5 shrink-0 rounded-full"
                      style={{ background: colour(group.run_ids[0] ?? "") }}
                    />
                    {nameOf(group.label)}
                  </span>
                </th>
                <Cells group={group} measure={measure} />
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <ul className="flex flex-col gap-1 px-4 py-3 text-sm text-ink-2">
        {differences
          .filter((one) => one.measure === measure)
          .map((one) => (
            <li key={`${one.first} ${one.second}`}>
              {differenceText({ ...one, first: nameOf(one.first), second: nameOf(one.second) })}
            </li>
          ))}
      </ul>
    </Panel>
  );
}

function Cells({ group, measure }: { group: Comparison["groups"][number]; measure: string }) {
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
      <td className={CELL}>{formatNumber(found.median, 4)}</td>
      <td className={CELL}>{formatNumber(found.iqm, 4)}</td>
      <td className={CELL}>{`${formatNumber(found.low, 4)} – ${formatNumber(found.high, 4)}`}</td>
      <td className={CELL}>{solvedText(group)}</td>
    </>
  );
}

export function solvedText(
  group: Pick<Comparison["groups"][number], "threshold" | "solved" | "solved_step" | "run_ids">,
): string {
  if (group.threshold === null) return NOTHING;
  const share = `${group.solved} of ${group.run_ids.length}`;
  return group.solved_step === null ? share : `${share}, at step ${formatCount(group.solved_step)}`;
}

export function differenceText(one: Comparison["differences"][number]): string {
  const within = betweenText(one.interval, one.level, (value) => formatSigned(value, 4));
  const isClear = one.interval && (one.interval[0]! > 0 || one.interval[1]! < 0);
  const verdict = one.interval ? (isClear ? "" : " These seeds do not show which is better.") : "";
  const chance = `better in ${formatPercent(one.chance_first_better)} of the pairs of seeds`;
  return `${one.first} minus ${one.second}: ${formatSigned(one.mean, 4)}, ${within}; ${chance}.${verdict}`;
}
