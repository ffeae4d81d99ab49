/** Which library trains; one that is not possible gives the reason. */

import { installableInto } from "@/entities/runners/installation";
import { offerId } from "@/entities/runners/offers";
import { type Draft, offerOfRunner, runnerNote, runnersOf, whyNotRunner } from "@/pages/lab/draft/draft";
import type { DraftState } from "@/pages/lab/draft/use-draft";
import { Installation } from "@/panels/runners/Installation";
import { cx } from "@/ui/cx";
import { Tooltip } from "@/ui/Tooltip";

export function RunnerChoice({ state, draft }: { state: DraftState; draft: Draft }) {
  const { offers, environment, choose } = state;
  const note = runnerNote(offers, draft.offer, environment);
  const pick = (runnerId: string) => {
    const offer = offerOfRunner(offers, runnerId, draft.offer, environment);
    if (offer && runnerId !== draft.offer.runner.id) choose({ algorithm: offerId(offer), preset: undefined });
  };
  return (
    <fieldset className="mt-1 min-w-0">
      <legend className="sr-only">Runner</legend>
      <div className="flex flex-wrap items-center gap-1">
        <span aria-hidden="true" className="mr-1 text-xs text-ink-3">
          Trained by
        </span>
        {runnersOf(offers).map((runner) => {
          const reason = whyNotRunner(offers, runner.id, environment);
          const isChosen = runner.id === draft.offer.runner.id;
          return (
            <Tooltip key={runner.id} text={reason ?? `${runner.name}. ${runner.description}`}>
              <button
                type="button"
                aria-pressed={isChosen}
                aria-disabled={reason ? true : undefined}
                onClick={() => !reason && pick(runner.id)}
                className={cx(
                  "figures h-7 rounded-sm border px-2 text-xs",
                  isChosen
                    ? "border-ink bg-select text-ink"
                    : "text-ink-2 hover:bg-sunken aria-disabled:text-ink-3",
                  reason && "line-through",
                )}
              >
                {runner.id}
              </button>
            </Tooltip>
          );
        })}
      </div>
      {note && <p className="mt-1.5 text-xs text-ink-3">{note}</p>}
      {runnersOf(offers)
        .filter((runner) => installableInto(runner) === "lab")
        .map((runner) => (
          <section
            key={runner.id}
            aria-label={`Install ${runner.name}`}
            className="mt-3 flex flex-col gap-1.5"
          >
            <p className="text-xs text-ink-2">{`${runner.name} is not installed.`}</p>
            <Installation runner={runner} />
          </section>
        ))}
    </fieldset>
  );
}
