/** Over the table while rows are selected: compare, export, tag, archive, delete. */
import { type FormEvent, useState } from "react";
import type { Run } from "@/api/types";
import { ExportMenu } from "@/entities/exports/ExportMenu";
import { hasWorker } from "@/entities/runs/status";
import { useRunActions } from "@/entities/runs/use-run-actions";
import { formatCount } from "@/lib/format";
import { openNewDataset } from "@/panels/new-dataset/dialog";
import { Button, IconButton } from "@/ui/Button";
import { Popover } from "@/ui/Popover";

export interface SelectedProps {
  chosen: Run[];
  isArchive: boolean;
  onDone: () => void;
  onCompare: (runs: Run[]) => void;
}

export function Selected({ chosen, isArchive, onDone, onCompare }: SelectedProps) {
  const actions = useRunActions();
  const live = chosen.some(hasWorker);
  const act = (action: (runs: Run[]) => void) => () => {
    action(chosen);
    onDone();
  };
  if (chosen.length === 0) return null;
  return (
    <section
      aria-label="Selected runs"
      className="absolute bottom-4 left-1/2 z-20 flex w-max max-w-[calc(100%-1rem)] -translate-x-1/2 flex-wrap items-center justify-center gap-2 rounded-md border border-line-strong bg-surface px-3 py-2 shadow-pop"
    >
      <span role="status" className="figures text-xs whitespace-nowrap text-ink-2">
        {`${formatCount(chosen.length)} selected`}
      </span>
      <Button small icon="chart" reason={whyNotCompare(chosen)} onClick={() => onCompare(chosen)}>
        Compare
      </Button>
      <ExportMenu subjects={{ runs: chosen.map((run) => run.id) }} whyNoPack={whyNoPack(chosen)} />
      <Button
        small
        reason={whyNoDataset(chosen)}
        onClick={() => openNewDataset({ way: "episodes", choose: { runs: chosen.map((run) => run.id) } })}
      >
        Make dataset
      </Button>
      <TagButton runs={chosen} onTag={(tag, isAdded) => void actions.tag(chosen, tag, isAdded)} />
      <Button small onClick={act((runs) => actions.archive(runs, !isArchive))}>
        {isArchive ? "Unarchive" : "Archive"}
      </Button>
      <Button
        small
        kind="danger"
        reason={live ? "Stop the selected runs that are still running first." : null}
        onClick={act(actions.remove)}
      >
        Delete
      </Button>
      <IconButton icon="close" label="Clear the selection" onClick={onDone} />
    </section>
  );
}

const MOST_TAG = 64;

function TagButton({ runs, onTag }: { runs: Run[]; onTag: (tag: string, isAdded: boolean) => void }) {
  const [isOpen, setIsOpen] = useState(false);
  const [text, setText] = useState("");
  const known = [...new Set(runs.flatMap((run) => run.tags))].sort();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const tag = text.trim();
    if (tag === "") return;
    onTag(tag, true);
    setText("");
    setIsOpen(false);
  };
  return (
    <Popover
      title="Tags"
      open={isOpen}
      onOpenChange={setIsOpen}
      trigger={
        <Button small icon="plus">
          Tag
        </Button>
      }
    >
      <form onSubmit={submit} className="flex gap-2">
        <input
          aria-label="New tag"
          placeholder="New tag"
          maxLength={MOST_TAG}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="h-9 min-w-0 flex-1 rounded-sm border border-line-strong bg-surface px-2.5 text-sm"
        />
        <Button type="submit" reason={text.trim() === "" ? "Type a tag first." : null}>
          Add
        </Button>
      </form>
      {known.length > 0 && (
        <ul aria-label="Tags of these runs" className="mt-3 flex flex-wrap gap-1.5">
          {known.map((tag) => (
            <li key={tag}>
              <Button
                small
                kind="quiet"
                icon="close"
                aria-label={`Remove ${tag}`}
                onClick={() => onTag(tag, false)}
              >
                {tag}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Popover>
  );
}

const MOST_COMPARED = 20;

export function whyNotCompare(chosen: readonly Run[]): string | null {
  if (chosen.length < 2) return "Select two or more runs to compare.";
  return chosen.length > MOST_COMPARED ? `At most ${MOST_COMPARED} runs are compared at once.` : null;
}

const WITH_EPISODES = new Set(["train", "evaluate", "play", "fork", "duel"]);

export const whyNoDataset = (chosen: readonly Run[]): string | null =>
  chosen.some((run) => WITH_EPISODES.has(run.kind)) ? null : "None of these runs has episodes.";

const ENDED = new Set(["succeeded", "failed", "stopped", "lost"]);

export const whyNoPack = (chosen: readonly Run[]): string | null =>
  chosen.every((run) => ENDED.has(run.status)) ? null : "A pack holds ended runs only.";
