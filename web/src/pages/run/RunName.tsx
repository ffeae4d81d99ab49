/** The run's name; a click, or Enter on it, edits it in place. */
import { useState } from "react";
import type { Run } from "@/api/types";
import { usePatchRun } from "@/entities/runs/use-patch-run";
import { Tooltip } from "@/ui/Tooltip";

export function RunName({ run }: { run: Run }) {
  const [draft, setDraft] = useState<string | null>(null);
  const patch = usePatchRun(run);
  const keep = () => {
    const name = draft?.trim();
    if (name && name !== run.name) patch({ name }, `Renamed to “${name}”.`);
    setDraft(null);
  };
  if (draft === null)
    return (
      <h1 className="min-w-0 text-lg font-semibold">
        <Tooltip text="Rename">
          <button
            type="button"
            className="max-w-full rounded-sm text-left hover:bg-sunken sm:truncate"
            onClick={() => setDraft(run.name)}
          >
            {run.name}
          </button>
        </Tooltip>
      </h1>
    );
  return (
    <h1 className="min-w-0 flex-1 sm:max-w-md">
      <input
        // biome-ignore lint/a11y/noAutofocus: the person has just asked to type here
        autoFocus
        aria-label="Name of the run"
        value={draft}
        maxLength={200}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={keep}
        onKeyDown={(event) => {
          if (event.key === "Enter") keep();
          if (event.key === "Escape") setDraft(null);
        }}
        className="w-full rounded-sm border border-line-strong bg-surface px-2 text-lg font-semibold"
      />
    </h1>
  );
}
