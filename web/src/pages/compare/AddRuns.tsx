/** Finds runs by typing and adds them to the comparison. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { runsQuery } from "@/entities/runs/queries";
import { useRunColour } from "@/lib/colour";
import { formatNumber } from "@/lib/format";
import { Button } from "@/ui/Button";
import { Popover } from "@/ui/Popover";
import { SearchField } from "@/ui/SearchField";
import { ErrorState, Loading } from "@/ui/states";

export interface AddRunsProps {
  known: readonly string[];
  /** How many more runs can be added. */
  room: number;
  onAdd: (runId: string) => void;
}

export function AddRuns(props: AddRunsProps) {
  const button = (
    <Button small icon="plus" reason={props.room > 0 ? null : "A comparison has at most 100 runs."}>
      Add run
    </Button>
  );
  if (props.room <= 0) return button;
  return (
    <Popover title="Add a run" trigger={button}>
      <Finder {...props} />
    </Popover>
  );
}

const SHOWN = 8;

function Finder({ known, onAdd }: AddRunsProps) {
  const runColour = useRunColour();
  const [text, setText] = useState("");
  const runs = useInfiniteQuery(runsQuery({ q: useDeferredValue(text) || undefined }));
  const found = (runs.data?.pages.flatMap((page) => page.items) ?? []).filter(
    (run) => !known.includes(run.id),
  );
  return (
    <div className="flex flex-col gap-2">
      <SearchField label="Name, environment, tag" value={text} onChange={setText} />
      {runs.isPending && <Loading lines={4} />}
      {runs.isError && <ErrorState error={runs.error} />}
      <ul>
        {found.slice(0, SHOWN).map((run) => (
          <li key={run.id}>
            <button
              type="button"
              onClick={() => onAdd(run.id)}
              className="flex min-h-8 w-full items-center gap-2 rounded-sm px-2 text-left text-sm hover:bg-sunken"
            >
              <span
                aria-hidden="true"
                className="size-2 shrink-0 rounded-full"
                style={{ background: runColour(run.id) }}
              />
              <span className="min-w-0 flex-1 truncate">{run.name}</span>
              <span className="figures text-xs text-ink-3">{formatNumber(run.summary.best_mean_reward)}</span>
            </button>
          </li>
        ))}
      </ul>
      {runs.isSuccess && found.length === 0 && (
        <p className="px-2 text-sm text-ink-2">No other run matches.</p>
      )}
      {found.length > SHOWN && <p className="px-2 text-xs text-ink-3">Type to find more.</p>}
    </div>
  );
}
