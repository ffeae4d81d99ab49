/** The numbers of a chart as a table, for screen readers and for reading exact values. */
import uPlot from "uplot";
import { formatClock, formatCount, formatNumber } from "@/lib/format";
import type { XKind } from "./plot";
import type { Series } from "./series";

const ROWS = 100;

export interface ChartTableProps {
  title: string;
  series: readonly Series[];
  xTitle: string;
  xKind?: XKind;
  height?: number;
}

export function ChartTable({ title, series, xTitle, xKind = "number", height = 220 }: ChartTableProps) {
  const tables = series.map((s) => [Array.from(s.xs), Array.from(s.ys)] as uPlot.AlignedData);
  const [xs, ...columns] = tables.length > 0 ? uPlot.join(tables) : [[]];
  const every = Math.max(1, Math.ceil((xs?.length ?? 0) / ROWS));
  const rows = Array.from(xs ?? [], (_, i) => i).filter((i) => i % every === 0 || i === xs!.length - 1);
  return (
    <section aria-label={`${title} as a table`} tabIndex={0} className="overflow-auto" style={{ height }}>
      <table className="figures w-full text-xs">
        <thead className="sticky top-0 bg-surface">
          <tr>
            {[xTitle, ...series.map((s) => s.label)].map((head, i) => (
              <th key={i} scope="col" className="border-b py-1 pr-4 text-right font-semibold">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.reverse().map((i) => (
            <tr key={i} className="border-b last:border-0">
              <th scope="row" className="py-1 pr-4 text-right font-normal">
                {xKind === "time" ? formatClock(xs![i]! * 1000) : formatCount(xs![i]!)}
              </th>
              {columns.map((column, c) => (
                <td key={c} className="py-1 pr-4 text-right">
                  {formatNumber(column[i], 5)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
