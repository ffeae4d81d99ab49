/** The checkpoints of a run under its reward curve, at their steps: a mark shows what it is, a click what can be done. */
import { type KeyboardEvent, useState } from "react";
import type { Run } from "@/api/types";
import { PLOT_INSET, type Range } from "@/charts/plot";
import { bestBy, type CheckpointMark, marksOf } from "@/entities/artifacts/checkpoints";
import { useCheckpoints } from "@/entities/artifacts/use-checkpoints";
import { subjectOfFile } from "@/entities/checkpoints/subject";
import { CheckpointDialogs } from "@/panels/checkpoint-menu/CheckpointDialogs";
import { CheckpointMenu } from "@/panels/checkpoint-menu/CheckpointMenu";
import { cx } from "@/ui/cx";
import { markText, placeOf } from "./timeline";

export interface CheckpointTimelineProps {
  run: Run;
  /** The steps that the chart above shows. */
  range: Range;
  /** They are all of the run. */
  isWhole: boolean;
  onTested: (evaluation: Run) => void;
}

export default function CheckpointTimeline({ run, range, isWhole, onTested }: CheckpointTimelineProps) {
  const marks = marksOf(useCheckpoints(run.id).list);
  const [pointed, setPointed] = useState<string | null>(null);
  const shown = marks.flatMap((mark) => {
    const place = placeOf(mark.file.timestep, range, isWhole);
    return place === null ? [] : [{ mark, place }];
  });
  if (shown.length === 0) return null;
  const at = marks.find(({ file }) => file.id === pointed);
  return (
    <div className="mt-1">
      <CheckpointDialogs />
      <div
        role="toolbar"
        aria-label="Checkpoints"
        onKeyDown={moveFocus}
        className="relative h-6"
        style={{ marginLeft: PLOT_INSET.left, marginRight: PLOT_INSET.right }}
      >
        <div className="absolute inset-x-0 top-1/2 h-px bg-line-strong" />
        {shown.map(({ mark, place }) => (
          <CheckpointMenu
            key={mark.file.id}
            subject={subjectOfFile(run, mark.file)}
            shown="run"
            heading={markText(mark, bestBy(run))}
            onTested={onTested}
            trigger={
              <MarkButton
                mark={mark}
                place={place}
                label={markText(mark, bestBy(run))}
                onPoint={(isPointed) => setPointed(isPointed ? mark.file.id : null)}
              />
            }
          />
        ))}
      </div>
      <p
        className="figures min-h-8 text-2xs max-sm:min-h-12 text-pretty text-ink-3"
        data-testid="checkpoint-facts"
      >
        {at ? markText(at, bestBy(run)) : legendOf(marks, run)}
      </p>
    </div>
  );
}

interface MarkButtonProps {
  mark: CheckpointMark;
  place: number;
  label: string;
  onPoint: (isPointed: boolean) => void;
}

/** The props that the menu adds are passed on to the button. */
function MarkButton({ mark, place, label, onPoint, ...menu }: MarkButtonProps) {
  const { file, isBest, isNewest } = mark;
  return (
    <button
      type="button"
      aria-label={label}
      {...menu}
      onMouseEnter={() => onPoint(true)}
      onMouseLeave={() => onPoint(false)}
      onFocus={() => onPoint(true)}
      onBlur={() => onPoint(false)}
      className="absolute top-0 grid size-6 -translate-x-1/2 place-items-center rounded-sm hover:z-10 focus-visible:z-10"
      style={{ left: `${place * 100}%` }}
    >
      <span
        className={cx(
          "block border-2",
          file.evaluation ? "rotate-45" : "rounded-full",
          isBest ? "size-3 border-good bg-good" : "size-2.5 border-ink-2",
          !isBest && (isNewest ? "bg-ink-2" : "bg-surface"),
        )}
      />
      {(file.pinned || (file.tags ?? []).length > 0) && (
        <span className="absolute bottom-0 h-0.5 w-3 bg-ink-2" aria-hidden="true" />
      )}
    </button>
  );
}

function legendOf(marks: readonly CheckpointMark[], run: Run): string {
  const best = marks.some(({ isBest }) => isBest) ? `Green: ${bestBy(run)}. ` : "";
  const evaluated = marks.some(({ file }) => file.evaluation) ? "Diamonds: evaluated. " : "";
  return `${best}${evaluated}Underlined: pinned, never removed automatically.`;
}

/** Left and right, Home and End move between the marks. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>(":scope > button")];
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: buttons.length - 1 }[event.key];
  if (at < 0 || to === undefined) return;
  event.preventDefault();
  buttons[Math.min(buttons.length - 1, Math.max(0, to))]?.focus();
}
