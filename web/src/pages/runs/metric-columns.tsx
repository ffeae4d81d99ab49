/** Columns of last values: metrics of the training, and numbers of evaluation code, each with its protocol. */
import type { ReactNode } from "react";
import type { Run } from "@/api/types";
import { formatNumber } from "@/lib/format";
import type { Column } from "./column";

export const METRIC = "metrics.";

/** The last value of a metric as a column; runs that have not ended have none. */
export function metricColumn(name: string): Column {
  const { number, protocol } = splitName(name);
  return {
    id: METRIC + name,
    title: number.replaceAll("_", " ") + (protocol ? ` · ${protocol}` : ""),
    width: protocol ? "11rem" : "8rem",
    sort: METRIC + name,
    isFigure: true,
    help: protocol
      ? `The mean of ${number} in the newest evaluation by the protocol ${protocol}.`
      : `The last value of ${name}, of runs that have ended; or its mean in the newest evaluation that has it, with the protocol of that.`,
    cell: (run) => cellOf(run, name, protocol !== null),
  };
}

/** "soft_landings@nightly@v2": a number by one version of a protocol. */
function splitName(name: string): { number: string; protocol: string | null } {
  const at = name.indexOf("@");
  return at < 1
    ? { number: name, protocol: null }
    : { number: name.slice(0, at), protocol: name.slice(at + 1) };
}

/** Numbers of different protocols may be in one column, so each cites its own, unless the column does. */
function cellOf(run: Run, name: string, isCited: boolean): ReactNode {
  const values = valuesOf(run);
  if (!(name in values)) return "";
  const cited = isCited ? null : protocolOf(run, name);
  if (cited === null) return formatNumber(values[name]);
  return (
    <span title={`Measured by: ${cited}`}>
      {formatNumber(values[name])}
      <span className="block truncate text-2xs leading-tight text-ink-3">{cited}</span>
    </span>
  );
}

/** A number of evaluation code does not hide a metric of the same name, measured or derived. */
const valuesOf = ({ summary }: Run): Record<string, number | null> => ({
  ...summary.numbers,
  ...summary.derived,
  ...summary.metrics,
});

/** Of a number of evaluation code; null for what the training itself has. */
function protocolOf({ summary }: Run, name: string): string | null {
  const isOfTraining = name in (summary.derived ?? {}) || name in (summary.metrics ?? {});
  return isOfTraining ? null : (summary.cited?.[name] ?? null);
}

/** The names of metrics that a column can show. */
export const metricNames = (runs: readonly Run[]): string[] =>
  [...new Set(runs.flatMap((run) => Object.keys(valuesOf(run))))].sort((a, b) => a.localeCompare(b));
