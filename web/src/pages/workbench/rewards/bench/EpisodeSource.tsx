/** Which episodes are scored: those of chosen runs, else of all runs of the environment with certain kinds and tags. */
import { useQueries } from "@tanstack/react-query";
import { runQuery } from "@/entities/runs/queries";
import { TextField } from "@/panels/text-field/TextField";
import { type BenchChoice, type BenchKind, KIND_WORDS, KINDS, runTitle } from "./choice";
import { RemovableChips } from "./RemovableChips";
import { RunFinder } from "./RunFinder";

export interface EpisodeSourceProps {
  envId: string;
  choice: BenchChoice;
  onChange: (change: Partial<BenchChoice>) => void;
}

export function EpisodeSource({ envId, choice, onChange }: EpisodeSourceProps) {
  const { runIds, kinds, tags } = choice;
  const runs = useQueries({ queries: runIds.map((id) => runQuery(id)) });
  const chips = runIds.map((id, i) => ({ id, title: runs[i]?.data ? runTitle(runs[i].data) : id }));
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {runIds.length === 0 && <span className="text-sm">{allTitle(envId)}</span>}
        <RunFinder envId={envId} chosen={runIds} onAdd={(id) => onChange({ runIds: [...runIds, id] })} />
      </div>
      <RemovableChips
        label="Chosen runs"
        chips={chips}
        onRemove={(id) => onChange({ runIds: runIds.filter((one) => one !== id) })}
      />
      {runIds.length === 0 && (
        <>
          <Kinds kinds={kinds} onChange={(next) => onChange({ kinds: next })} />
          <TextField
            label="Only runs with these tags"
            placeholder="all"
            value={tags}
            onChange={(next) => onChange({ tags: next })}
          />
        </>
      )}
    </div>
  );
}

const allTitle = (envId: string): string =>
  envId ? `All runs of ${envId}` : "All runs with the tags below, or";

function Kinds({ kinds, onChange }: { kinds: readonly BenchKind[]; onChange: (kinds: BenchKind[]) => void }) {
  return (
    <fieldset className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
      <legend className="sr-only">Kinds of runs</legend>
      {KINDS.map((kind) => (
        <label key={kind} className="flex items-center gap-1.5">
          <input
            type="checkbox"
            className="accent-ink"
            checked={kinds.includes(kind)}
            onChange={({ target }) =>
              onChange(KINDS.filter((one) => (one === kind ? target.checked : kinds.includes(one))))
            }
          />
          {KIND_WORDS[kind]}
        </label>
      ))}
    </fieldset>
  );
}
