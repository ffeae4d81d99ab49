/** A run's tags: a click removes one, typing adds one. */
import { useState } from "react";
import type { Run } from "@/api/types";
import { usePatchRun } from "@/entities/runs/use-patch-run";
import { Icon } from "@/ui/icons";

export function RunTags({ run }: { run: Run }) {
  const [draft, setDraft] = useState<string | null>(null);
  const patch = usePatchRun(run);
  const add = () => {
    const tag = draft?.trim();
    if (tag && !run.tags.includes(tag)) patch({ tags: [...run.tags, tag] }, `Added the tag “${tag}”.`);
    setDraft(null);
  };
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {run.tags.map((tag) => (
        <button
          key={tag}
          type="button"
          aria-label={`Remove the tag ${tag}`}
          onClick={() =>
            patch({ tags: run.tags.filter((other) => other !== tag) }, `Removed the tag “${tag}”.`)
          }
          className="figures inline-flex h-6 items-center gap-1.5 rounded-sm border px-1.5 text-2xs text-ink-2 hover:border-line-strong hover:text-ink"
        >
          {tag}
          <Icon name="close" size={9} />
        </button>
      ))}
      {draft === null ? (
        <button
          type="button"
          onClick={() => setDraft("")}
          className="figures inline-flex h-6 items-center gap-1 rounded-sm px-1.5 text-2xs text-ink-3 hover:bg-sunken hover:text-ink"
        >
          <Icon name="plus" size={10} />
          tag
        </button>
      ) : (
        <input
          // biome-ignore lint/a11y/noAutofocus: the person has just asked to type here
          autoFocus
          aria-label="New tag"
          value={draft}
          maxLength={40}
          onChange={(event) => setDraft(event.target.value)}
          onBlur={add}
          onKeyDown={(event) => {
            if (event.key === "Enter") add();
            if (event.key === "Escape") setDraft(null);
          }}
          className="figures h-6 w-28 rounded-sm border border-line-strong bg-surface px-1.5 text-2xs"
        />
      )}
    </div>
  );
}
