/** Which library trains; one that is not possible gives the reason. */

import { installableInto } from "@/entities/runners/installation";
import { Installation } from "@/panels/runners/Installation";
import { cx } from "@/ui/cx";
import { Tooltip } from "@/ui/Tooltip";
import { type Draft, offerId, offerOfRunner, runnerNote, runnersOf, whyNotRunner } from "./draft";
import type { DraftState } from "./use-draft";

export function RunnerChoice({ state, draft }: { state: DraftState; draft: Draft }) {
  const { offers, environment, choose } = state;
  const pick = (runnerId: string) => {
    const offer = offerOfRunner(offers, runnerId, draft.offer, environment);
    if (offer && runnerId !== draft.offer.runner.id) choose({ algorithm: offerId(offer), preset: undefined });
  };
  return (
    <fieldset className="min-w-0">
      <legend className="label mb-2 text-ink-3">Runner</legend>
      <div className="flex overflow-hidden rounded-sm border border-line-strong">
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
                  "label h-8 flex-1 border-r border-line-strong last:border-0 focus-visible:-outline-offset-2",
                  isChosen ? "bg-ink text-on-ink" : "text-ink-2 hover:bg-sunken aria-disabled:text-ink-3",
                  reason && "line-through",
                )}
              >
                {runner.id}
              </button>
            </Tooltip>
          );
        })}
      </div>
      <p className="mt-1.5 text-xs text-ink-3">{runnerNote(offers, draft.offer, environment)}</p>
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
