/** The compared runs or groups, each in its colour: show, hide or remove. */
import { Link } from "@tanstack/react-router";
import type { Run } from "@/api/types";
import { StatusBadge } from "@/entities/runs/StatusBadge";
import { trainConfigOf } from "@/entities/runs/words";
import { formatNumber } from "@/lib/format";
import { cx } from "@/ui/cx";
import { Icon } from "@/ui/icons";
import { bySeed, type Compared } from "./groups";

/** Of a group, each with a link to its run. */
const MOST_SEEDS = 12;

export interface RunChipsProps {
  compared: readonly Compared[];
  colour: (runId: string) => string;
  hidden: ReadonlySet<string>;
  onToggle: (runIds: readonly string[]) => void;
  onRemove: (runIds: readonly string[]) => void;
}

export function RunChips({ compared, colour, hidden, onToggle, onRemove }: RunChipsProps) {
  return (
    <ul aria-label="Compared runs" className="flex flex-wrap gap-2">
      {compared.map((one) => {
        const ids = one.runs.map((run) => run.id);
        const isHidden = ids.every((id) => hidden.has(id));
        return (
          <li
            key={one.id}
            className="flex max-w-full items-center gap-2 rounded-md border bg-surface py-1 pr-1 pl-1.5 text-sm"
          >
            <button
              type="button"
              aria-pressed={!isHidden}
              aria-label={`Draw ${one.label}`}
              title={isHidden ? "Show its curves" : "Hide its curves"}
              onClick={() => onToggle(ids)}
              className="grid size-6 shrink-0 place-items-center rounded-sm hover:bg-sunken"
            >
              <span
                aria-hidden="true"
                className="size-3 rounded-full border-2"
                style={{ borderColor: colour(one.id), background: isHidden ? "transparent" : colour(one.id) }}
              />
            </button>
            {one.runs.length === 1 ? <OneRun one={one} isHidden={isHidden} /> : <Seeds one={one} />}
            <button
              type="button"
              aria-label={`Remove ${one.label}`}
              onClick={() => onRemove(ids)}
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

function OneRun({ one, isHidden }: { one: Compared; isHidden: boolean }) {
  const run = one.runs[0]!;
  return (
    <>
      <Link
        to="/runs/$runId"
        params={{ runId: run.id }}
        title={run.name}
        className={cx("min-w-0 hover:underline sm:truncate", isHidden && "text-ink-3 line-through")}
      >
        {one.label}
      </Link>
      <span className="figures text-xs whitespace-nowrap text-ink-3" title="Best mean over 100 episodes">
        best {formatNumber(run.summary.best_mean_reward)}
      </span>
      <span className="max-sm:hidden">
        <StatusBadge status={run.status} cause={run.reason?.cause} />
      </span>
    </>
  );
}

function Seeds({ one }: { one: Compared }) {
  return (
    <>
      <span className="min-w-0 sm:truncate">{one.label}</span>
      <span className="figures flex flex-wrap items-center text-xs text-ink-3">
        {bySeed(one.runs)
          .slice(0, MOST_SEEDS)
          .map((run) => (
            <Link
              key={run.id}
              to="/runs/$runId"
              params={{ runId: run.id }}
              title={run.name}
              className="grid min-h-[24px] min-w-[24px] place-items-center px-0.5 hover:underline"
            >
              {seedOf(run)}
            </Link>
          ))}
        {one.runs.length > MOST_SEEDS && <span>{`and ${one.runs.length - MOST_SEEDS} more`}</span>}
      </span>
    </>
  );
}

const seedOf = (run: Run): string => String(trainConfigOf(run)?.seed ?? run.id.slice(-4));
