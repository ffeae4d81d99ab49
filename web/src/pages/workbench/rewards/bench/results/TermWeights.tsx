/** A slider for the weight of each term; everything above is ranked anew while it moves. */
import type { RewardSummary } from "@/api/types";
import type { Weights } from "@/entities/bench/ranking";
import { formatNumber, formatPercent } from "@/lib/format";
import { Button } from "@/ui/Button";
import { Slider } from "@/ui/Slider";

export interface TermWeightsProps {
  name: string;
  terms: readonly string[];
  weights: Weights;
  influences: RewardSummary["terms"];
  onWeights: (weights: Weights) => void;
}

const MOST = 4;

export function TermWeights({ name, terms, weights, influences, onWeights }: TermWeightsProps) {
  const isChanged = terms.some((term) => (weights[term] ?? 1) !== 1);
  return (
    <section aria-label={`Weights of the terms of ${name}`}>
      <div className="mb-1 flex min-h-7 items-center justify-between gap-3">
        <h4 className="label text-ink-3">Weights of the terms</h4>
        {isChanged && (
          <Button small kind="quiet" onClick={() => onWeights({})}>
            Reset weights
          </Button>
        )}
      </div>
      <ul className="flex flex-col">
        {terms.map((term) => {
          const weight = weights[term] ?? 1;
          const influence = influences.find((one) => one.name === term);
          return (
            <li
              key={term}
              className="grid grid-cols-[minmax(0,9rem)_minmax(0,1fr)_3rem] items-center gap-x-3 py-0.5 text-xs"
            >
              <span className="break-words">{term}</span>
              <Slider
                label={`Weight of ${term} in ${name}`}
                value={weight}
                min={0}
                max={MOST}
                step={0.05}
                valueText={`${formatNumber(weight)} times`}
                onChange={(next) => onWeights({ ...weights, [term]: next })}
              />
              <span className="figures text-right">{`× ${formatNumber(weight)}`}</span>
              {influence && (
                <span className="figures col-span-full text-2xs text-ink-3">
                  {`${formatPercent(influence.share_of_sum)} of the sum, ${formatPercent(influence.share_of_variance)} of the differences; correlation without it ${formatNumber(influence.spearman_without)}, doubled ${formatNumber(influence.spearman_doubled)}`}
                </span>
              )}
            </li>
          );
        })}
      </ul>
      {isChanged && (
        <p className="mt-1 text-2xs text-ink-3">
          The suspicions above are those of the weights in the code. To keep these weights, write them there.
        </p>
      )}
    </section>
  );
}
