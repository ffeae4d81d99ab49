/** One number of a run with its recent course. The number has its own width, so that nothing moves as it changes. */
import { Sparkline } from "@/charts/Sparkline";
import { formatNumber } from "@/lib/format";

export interface MetricCardProps {
  title: string;
  value: number | null | undefined;
  recent?: readonly (number | null)[];
}

export function MetricCard({ title, value, recent = [] }: MetricCardProps) {
  return (
    <div className="flex min-w-0 flex-col gap-1 rounded-md border bg-surface px-4 py-3">
      <h3 className="label truncate text-ink-3">{title}</h3>
      <div className="flex items-end justify-between gap-3">
        <span className="figures text-xl leading-7">{formatNumber(value)}</span>
        <span className="min-w-0 overflow-hidden text-ink-3">
          <Sparkline values={recent} width={72} height={26} />
        </span>
      </div>
    </div>
  );
}
