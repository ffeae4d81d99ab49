/** Finds runs with recorded episodes: of one kind, by words, and older ones page by page. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import type { Run } from "@/api/types";
import { runsQuery } from "@/entities/runs/queries";
import { formatDate } from "@/lib/format";
import { Button } from "@/ui/Button";
import { Popover } from "@/ui/Popover";
import { SearchField } from "@/ui/SearchField";
import { Select } from "@/ui/Select";
import { LoadFailed, Loading } from "@/ui/states";
import { type BenchKind, KIND_WORDS, KINDS } from "./choice";

export interface RunFinderProps {
  /** Only runs of this environment; empty: of all. */
  envId: string;
  chosen: readonly string[];
  onAdd: (runId: string) => void;
}

export function RunFinder(props: RunFinderProps) {
  return (
    <Popover title="Add a run" trigger={<Button icon="plus">Add a run</Button>}>
      <Finder {...props} />
    </Popover>
  );
}

function Finder({ envId, chosen, onAdd }: RunFinderProps) {
  const [kind, setKind] = useState<BenchKind>("train");
  const [text, setText] = useState("");
  const q = useDeferredValue(text) || undefined;
  const runs = useInfiniteQuery(runsQuery({ q, kind, env_id: envId || undefined, sort: "-created_at" }));
  const found = (runs.data?.pages ?? []).flatMap(({ items }) => items);
  const free = found.filter(({ id }) => !chosen.includes(id));
  return (
    <div className="flex flex-col gap-2">
      <Select
        label="Kind of runs"
        value={kind}
        options={KINDS.map((value) => ({ value, title: KIND_WORDS[value] }))}
        onChange={setKind}
      />
      <SearchField label="Name, algorithm, tag" value={text} onChange={setText} />
      {runs.isPending && <Loading lines={4} />}
      {runs.isError && <LoadFailed what="runs" error={runs.error} onRetry={() => void runs.refetch()} />}
      <ul aria-label="Runs" className="-mx-2 max-h-64 overflow-y-auto">
        {free.map((run) => (
          <li key={run.id}>
            <FoundRun run={run} onAdd={() => onAdd(run.id)} />
          </li>
        ))}
      </ul>
      {runs.isSuccess && free.length === 0 && <p className="text-sm text-ink-2">No other run matches.</p>}
      {runs.hasNextPage && (
        <Button
          small
          kind="quiet"
          disabled={runs.isFetchingNextPage}
          onClick={() => void runs.fetchNextPage()}
        >
          Older runs
        </Button>
      )}
    </div>
  );
}

function FoundRun({ run, onAdd }: { run: Run; onAdd: () => void }) {
  return (
    <button
      type="button"
      onClick={onAdd}
      className="ring-inside flex min-h-8 w-full flex-col rounded-sm px-2 py-1 text-left text-sm hover:bg-sunken"
    >
      <span className="w-full truncate">{run.name}</span>
      <span className="figures text-2xs text-ink-3">{formatDate(String(run.created_at))}</span>
    </button>
  );
}
