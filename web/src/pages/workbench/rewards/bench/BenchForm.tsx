/** Which episodes the reward is tried on, how many, and next to which other versions. */
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Code, CodeVersion } from "@/api/types";
import { spellCode } from "@/entities/codes/words";
import { formatCount } from "@/lib/format";
import { Button } from "@/ui/Button";
import { Select } from "@/ui/Select";
import { LoadFailed } from "@/ui/states";
import { type BenchChoice, LIMITS, type OpenReward, roomFor, whyNotBench } from "./choice";
import { EpisodeSource } from "./EpisodeSource";
import { RemovableChips } from "./RemovableChips";

export interface BenchFormProps {
  open: OpenReward;
  choice: BenchChoice;
  /** What can be tried next to it. */
  others: readonly CodeVersion[];
  /** All saved rewards, among which the others are. */
  known: UseQueryResult<Code[]>;
  isRunning: boolean;
  onChange: (change: Partial<BenchChoice>) => void;
  onStart: () => void;
  onStop: () => void;
}

export function BenchForm(props: BenchFormProps) {
  const { open, choice, isRunning, onChange, onStart, onStop } = props;
  return (
    <div className="flex flex-col gap-4">
      <p className="max-w-3xl text-sm text-ink-2">
        Recorded episodes are simulated again and scored by your reward: before training you see what it would
        have preferred.
      </p>
      <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1.4fr)_auto] xl:items-start">
        <Labelled title="Episodes of">
          <EpisodeSource envId={open.envId} choice={choice} onChange={onChange} />
        </Labelled>
        <Labelled title="Episodes, at most">
          <Select
            label="Episodes, at most"
            value={String(choice.limit)}
            options={LIMITS.map((limit) => ({ value: String(limit), title: formatCount(limit) }))}
            onChange={(limit) => onChange({ limit: Number(limit) })}
          />
        </Labelled>
        <Labelled title="Side by side with">
          <OtherRewards {...props} />
        </Labelled>
        <div className="flex items-end xl:pt-5">
          {isRunning ? (
            <Button icon="stop" onClick={onStop}>
              Stop
            </Button>
          ) : (
            <Button kind="primary" icon="play" reason={whyNotBench(open, choice)} onClick={onStart}>
              Try it
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}

/** Up to three saved rewards next to the open one. */
function OtherRewards({ choice, others, known, onChange }: BenchFormProps) {
  const free = others.map(spellCode).filter((spelled) => !choice.others.includes(spelled));
  const isEmpty = choice.others.length === 0;
  return (
    <div className="flex flex-col gap-2">
      {roomFor(choice) > 0 && (
        <Select
          label="Side by side with"
          value=""
          options={[
            { value: "", title: isEmpty ? "nothing else" : "add another reward…" },
            ...free.map((spelled) => ({ value: spelled, title: spelled })),
          ]}
          onChange={(spelled) => spelled && onChange({ others: [...choice.others, spelled] })}
        />
      )}
      <RemovableChips
        label="Rewards side by side"
        chips={choice.others.map((spelled) => ({ id: spelled, title: spelled }))}
        onRemove={(spelled) => onChange({ others: choice.others.filter((one) => one !== spelled) })}
      />
      {known.isError && (
        <LoadFailed what="saved rewards" error={known.error} onRetry={() => void known.refetch()} />
      )}
    </div>
  );
}

function Labelled({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <p aria-hidden="true" className="label mb-1 text-ink-3">
        {title}
      </p>
      {children}
    </div>
  );
}
