/** One number of a run with a sparkline of its recent values. */
import { Sparkline } from "@/charts/Sparkline";
import { formatNumber } from "@/lib/format";

export interface MetricCardProps {
  title: string;
  value: number | null | undefined;
  recent?: readonly (number | null)[];
  /** Shown instead of the number: "5 of 5". */
  text?: string;
  /** A small line under the number: a spread, a unit. */
  note?: string;
}

export function MetricCard({ title, value, recent = [], text, note }: MetricCardProps) {
  return (
    <div className="flex min-w-0 flex-col rounded-md border bg-surface px-4 py-2.5">
      <h3 className="caps truncate text-ink-3">{title}</h3>
      <div className="flex items-center justify-between gap-3">
        <span className="figures text-xl leading-8 whitespace-nowrap">{text ?? formatNumber(value)}</span>
        <span className="min-w-0 overflow-hidden text-ink-3">
          <Sparkline values={recent} width={72} height={26} />
        </span>
      </div>
      {note !== undefined && <p className="figures h-4 truncate text-2xs text-ink-3">{note}</p>}
    </div>
  );
}
