/** One reward against the environment's: how far they agree, outcomes, suspicions, and what each term contributes. */
import { memo, useCallback, useMemo } from "react";
import type { BenchEpisode, RewardSummary } from "@/api/types";
import {
  agreementText,
  scoredBy,
  spearman,
  spreadsByOutcome,
  termsOf,
  type Weights,
} from "@/entities/bench/ranking";
import { formatNumber, formatPlural } from "@/lib/format";
import { cx } from "@/ui/cx";
import { Icon } from "@/ui/icons";
import { Outcomes } from "./Outcomes";
import { ReturnScatter } from "./ReturnScatter";
import { TermWeights } from "./TermWeights";

export interface RewardResultProps {
  name: string;
  reward: number;
  /** Others are next to it. */
  isPair: boolean;
  episodes: readonly BenchEpisode[];
  /** What the lab has computed for the weights of the code. */
  summary: RewardSummary | null;
  weights: Weights;
  watched: BenchEpisode | null;
  onWeights: (reward: number, weights: Weights) => void;
  onWatch: (episode: BenchEpisode) => void;
}

export const RewardResult = memo(function RewardResult(props: RewardResultProps) {
  const { name, reward, isPair, episodes, summary, weights, watched, onWeights, onWatch } = props;
  const scored = useMemo(() => scoredBy(episodes, reward, weights), [episodes, reward, weights]);
  const agreement = useMemo(
    () =>
      spearman(
        scored.map((one) => one.env),
        scored.map((one) => one.own),
      ),
    [scored],
  );
  const outcomes = useMemo(() => spreadsByOutcome(scored), [scored]);
  const terms = useMemo(() => termsOf(episodes, reward), [episodes, reward]);
  const setWeights = useCallback((next: Weights) => onWeights(reward, next), [onWeights, reward]);
  if (scored.length === 0) return null;
  return (
    <section aria-label={`Result of ${name}`} className="flex min-w-0 flex-col gap-5">
      <div>
        <h3 className="truncate text-sm font-semibold" title={name}>
          {name}
        </h3>
        <p className="mt-1 flex flex-wrap items-baseline gap-x-3">
          <span className="figures text-2xl font-semibold">{formatNumber(agreement)}</span>
          <span className="text-sm text-ink-2">{`rank correlation. ${agreementText(agreement)}`}</span>
        </p>
      </div>
      {summary && <Suspicions suspicions={summary.suspicions} />}
      <div className={cx("grid gap-5 md:grid-cols-2", isPair && "xl:grid-cols-1 2xl:grid-cols-2")}>
        <ReturnScatter name={name} scored={scored} watched={watched} onWatch={onWatch} />
        <Outcomes outcomes={outcomes} />
      </div>
      {terms.length > 0 && (
        <TermWeights
          name={name}
          terms={terms}
          weights={weights}
          influences={summary?.terms ?? []}
          onWeights={setWeights}
        />
      )}
    </section>
  );
});

/** Signs that the reward can be collected without doing the task. */
function Suspicions({ suspicions }: { suspicions: RewardSummary["suspicions"] }) {
  if (suspicions.length === 0) return null;
  return (
    <ul aria-label="Suspicions" className="flex flex-col gap-2">
      {suspicions.map(({ kind, message, numbers, episodes, run_id }) => (
        <li
          key={`${kind} ${run_id}`}
          className="flex gap-2.5 rounded-sm border-l-3 border-l-warn bg-warn-soft px-3 py-2 text-sm"
        >
          <span className="mt-0.5 text-warn">
            <Icon name="warn" size={14} />
          </span>
          <span className="min-w-0">
            {message}
            <span className="figures mt-1 block text-2xs break-words text-ink-2">
              {[
                ...Object.entries(numbers).map(([what, value]) => `${readable(what)} ${formatNumber(value)}`),
                formatPlural(episodes, "episode"),
              ].join(" · ")}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}

const readable = (name: string): string => name.replaceAll("_", " ");
