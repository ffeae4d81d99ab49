/** The algorithm, and below it, quieter, the library that trains it. */
import { useId } from "react";
import { offerId } from "@/entities/runners/offers";
import { algorithmChoices, type Draft } from "@/pages/lab/draft/draft";
import type { DraftState } from "@/pages/lab/draft/use-draft";
import { Select } from "@/ui/Select";
import { RunnerChoice } from "./RunnerChoice";

export function AlgorithmChoice({ state, draft }: { state: DraftState; draft: Draft }) {
  const id = useId();
  const { environment, offers, choose } = state;
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-xs text-ink">
        Algorithm
      </label>
      <Select
        id={id}
        label="Algorithm"
        value={offerId(draft.offer)}
        options={algorithmChoices(offers, draft.offer, environment).map(({ offer, reason }) => ({
          value: offerId(offer),
          title:
            offer.runner.id === draft.offer.runner.id
              ? offer.algorithm.name
              : `${offer.algorithm.name} · ${offer.runner.id}`,
          reason,
        }))}
        onChange={(algorithm) => choose({ algorithm, preset: undefined })}
      />
      <p className="text-xs text-ink-3">{draft.offer.algorithm.description}</p>
      <RunnerChoice state={state} draft={draft} />
    </div>
  );
}
