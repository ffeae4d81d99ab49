/** How much each parameter mattered; one that may be chance is drawn in outline. */
import { formatPercent } from "@/lib/format";
import { cx } from "@/ui/cx";

export interface ImportanceBarsProps {
  parameters: readonly { name: string; title: string; share: number; is_clear: boolean; text: string }[];
}

export function ImportanceBars({ parameters }: ImportanceBarsProps) {
  return (
    <ul className="flex flex-col gap-2.5">
      {parameters.map(({ name, title, share, is_clear, text }) => (
        <li key={name} title={text} className="flex flex-col gap-1">
          <span className="flex items-baseline justify-between gap-3 text-xs">
            <span className="min-w-0 truncate">{title}</span>
            <span className="figures shrink-0 text-ink-2">
              {`${formatPercent(share)}${is_clear ? "" : " · may be chance"}`}
            </span>
          </span>
          <span aria-hidden="true" className="block h-2 rounded-full bg-sunken">
            <span
              className={cx(
                "block h-full rounded-full",
                is_clear ? "bg-ink" : "border border-ink-3 bg-transparent",
              )}
              style={{ width: `${Math.max(1, share * 100)}%` }}
            />
          </span>
        </li>
      ))}
    </ul>
  );
}
