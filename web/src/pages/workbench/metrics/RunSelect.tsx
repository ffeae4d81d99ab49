/** The training whose metrics an expression is tried on: one of the newest. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { runQuery, runsQuery } from "@/entities/runs/queries";
import { Select } from "@/ui/Select";

const MOST_RUNS = 50;

export interface RunSelectProps {
  value: string | null;
  onChange: (runId: string) => void;
}

export function RunSelect({ value, onChange }: RunSelectProps) {
  const runs = useRuns();
  const isListed = value === null || runs.some(({ id }) => id === value);
  const chosen = useQuery({ ...runQuery(value ?? ""), enabled: !isListed }).data;
  const shown = chosen && !isListed ? [chosen, ...runs] : runs;
  return (
    <div className="flex flex-col gap-1">
      <span className="text-xs">Tried on</span>
      <Select
        label="Tried on"
        value={value ?? ""}
        options={
          shown.length === 0
            ? [{ value: "", title: "There is no run yet" }]
            : shown.map(({ id, name }) => ({ value: id, title: name }))
        }
        onChange={onChange}
      />
    </div>
  );
}

/** Null without a run. */
export function useNewestRun(): string | null {
  return useRuns()[0]?.id ?? null;
}

function useRuns() {
  const pages = useInfiniteQuery(runsQuery({ kind: "train" })).data?.pages ?? [];
  return (pages[0]?.items ?? []).filter((run) => run.attempt > 0 || run.source).slice(0, MOST_RUNS);
}
