/** The compared runs, each in its colour: show, hide or remove. */
import { Link } from "@tanstack/react-router";
import type { Run } from "@/api/types";
import { StatusBadge } from "@/entities/runs/StatusBadge";
import { useRunColour } from "@/lib/colour";
import { formatNumber } from "@/lib/format";
import { cx } from "@/ui/cx";
import { Icon } from "@/ui/icons";

export interface RunChipsProps {
  runs: readonly Run[];
  hidden: ReadonlySet<string>;
  onToggle: (runId: string) => void;
  onRemove: (runId: string) => void;
}

export function RunChips({ runs, hidden, onToggle, onRemove }: RunChipsProps) {
  const runColour = useRunColour();
  return (
    <ul aria-label="Compared runs" className="flex flex-wrap gap-2">
      {runs.map((run) => {
        const isHidden = hidden.has(run.id);
        return (
          <li
            key={run.id}
            className="flex max-w-full items-center gap-2 rounded-md border bg-surface py-1 pr-1 pl-1.5 text-sm"
          >
            <button
              type="button"
              aria-pressed={!isHidden}
              aria-label={`Draw ${run.name}`}
              title={isHidden ? "Show its curves" : "Hide its curves"}
              onClick={() => onToggle(run.id)}
              className="grid size-6 shrink-0 place-items-center rounded-sm hover:bg-sunken"
            >
              <span
                aria-hidden="true"
                className="size-3 rounded-full border-2"
                style={{
                  borderColor: runColour(run.id),
                  background: isHidden ? "transparent" : runColour(run.id),
                }}
              />
            </button>
            <Link
              to="/runs/$runId"
              params={{ runId: run.id }}
              className={cx("truncate hover:underline", isHidden && "text-ink-3 line-through")}
            >
              {run.name}
            </Link>
            <span className="figures text-xs whitespace-nowrap text-ink-3">
              best {formatNumber(run.summary.best_mean_reward)}
            </span>
            <StatusBadge status={run.status} />
            <button
              type="button"
              aria-label={`Remove ${run.name}`}
              onClick={() => onRemove(run.id)}
              className="grid size-6 shrink-0 place-items-center rounded-sm text-ink-3 hover:bg-sunken hover:text-ink"
            >
              <Icon name="close" size={12} />
            </button>
          </li>
        );
      })}
    </ul>
  );
}
