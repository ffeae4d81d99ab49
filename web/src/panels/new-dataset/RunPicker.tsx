/** Chooses runs: one in a list that is filtered while typing, or several as a row of names. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import type { Run } from "@/api/types";
import { runQuery, runsQuery } from "@/entities/runs/queries";
import type { Kind } from "@/entities/runs/status";
import { factsOf } from "@/entities/runs/words";
import { formatPlural } from "@/lib/format";
import { Button } from "@/ui/Button";
import { SearchField } from "@/ui/SearchField";
import { Labelled } from "./fields";

export interface RunPickerProps {
  label: string;
  kind?: Kind;
  onPick: (run: Run) => void;
}

const MOST_SHOWN = 6;

export function RunPicker({ label, kind, onPick }: RunPickerProps) {
  const [q, setQ] = useState("");
  const asked = useDeferredValue(q);
  const runs = useInfiniteQuery(runsQuery({ kind: kind ?? "all", q: asked || undefined }));
  const items = runs.data?.pages[0]?.items.filter((run) => run.kind !== "dataset") ?? [];
  return (
    <div className="flex flex-col gap-1">
      <SearchField label={label} value={q} onChange={setQ} />
      <ul aria-label={label} className="flex flex-col rounded-sm border">
        {items.slice(0, MOST_SHOWN).map((run) => (
          <li key={run.id} className="border-b last:border-0">
            <button
              type="button"
              onClick={() => onPick(run)}
              className="ring-inside flex min-h-9 w-full items-center gap-3 px-3 text-left text-sm hover:bg-sunken"
            >
              <span className="min-w-0 flex-1 truncate">{run.name}</span>
              <span className="figures shrink-0 truncate text-2xs text-ink-3">
                {factsOf(run).slice(0, 2).join(" · ")}
              </span>
            </button>
          </li>
        ))}
        {runs.isSuccess && items.length === 0 && (
          <li className="px-3 py-2 text-sm text-ink-3">No run matches.</li>
        )}
      </ul>
    </div>
  );
}

export interface ChosenRunsProps {
  chosen: readonly string[];
  onChange: (runs: string[]) => void;
}

const MOST_NAMES = 12;

/** Runs by name; none: every run that fits the other conditions. */
export function ChosenRuns({ chosen, onChange }: ChosenRunsProps) {
  const [isPicking, setPicking] = useState(false);
  return (
    <Labelled title="Runs">
      <div className="flex flex-wrap items-center gap-1.5">
        {chosen.length === 0 && <span className="text-sm text-ink-2">Every run that fits</span>}
        {chosen.slice(0, MOST_NAMES).map((runId) => (
          <RunName
            key={runId}
            runId={runId}
            onRemove={() => onChange(chosen.filter((one) => one !== runId))}
          />
        ))}
        {chosen.length > MOST_NAMES && (
          <span className="text-xs text-ink-2">{`and ${formatPlural(chosen.length - MOST_NAMES, "more run")}`}</span>
        )}
        <Button
          small
          kind="quiet"
          icon="plus"
          aria-expanded={isPicking}
          onClick={() => setPicking(!isPicking)}
        >
          Choose runs
        </Button>
        {chosen.length > 1 && (
          <Button small kind="quiet" onClick={() => onChange([])}>
            Clear
          </Button>
        )}
      </div>
      {isPicking && (
        <div className="mt-2">
          <RunPicker
            label="Find a run"
            onPick={({ id }) => onChange(chosen.includes(id) ? [...chosen] : [...chosen, id])}
          />
        </div>
      )}
    </Labelled>
  );
}

function RunName({ runId, onRemove }: { runId: string; onRemove: () => void }) {
  const run = useQuery(runQuery(runId)).data;
  const name = run?.name ?? runId;
  return (
    <Button small icon="close" aria-label={`Leave out ${name}`} onClick={onRemove}>
      <span className="max-w-48 truncate">{name}</span>
    </Button>
  );
}
