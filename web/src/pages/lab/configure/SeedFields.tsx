/** One seed for one run; several seeds make a study, whose runs differ in nothing else. */
import { useId } from "react";
import { parseSeeds } from "@/entities/studies/seeds";
import { NumberField } from "@/schema-form/NumberField";
import type { TrainingFormProps } from "./form-props";

export function SeedFields({ state, draft, errors }: TrainingFormProps) {
  const id = useId();
  const { seeds, problem } = parseSeeds(draft.seeds);
  const count = Array.isArray(seeds) ? seeds.length : seeds;
  const note = count === null ? null : `TRAIN starts a study of ${count === 1 ? "1 run" : `${count} runs`}.`;
  return (
    <div className="grid grid-cols-2 gap-3">
      <NumberField
        label="Seed"
        value={draft.seed}
        placeholder="any"
        example="3"
        error={errors.seed?.message}
        onChange={state.setSeed}
      />
      <div className="min-w-0">
        <label htmlFor={id} className="text-xs">
          Seeds
        </label>
        <input
          id={id}
          value={draft.seeds}
          placeholder="5 or 3,7,11"
          aria-invalid={problem ? true : undefined}
          aria-describedby={`${id}-note`}
          onChange={(event) => state.setSeeds(event.target.value)}
          className="figures mt-1 h-8 w-full rounded-sm border border-line-strong bg-surface px-2.5 text-xs placeholder:text-ink-3 aria-invalid:border-warn"
        />
        <p
          id={`${id}-note`}
          role={problem ? "alert" : undefined}
          className={problem ? "text-xs text-warn" : "text-xs text-ink-3"}
        >
          {problem ?? note}
        </p>
      </div>
    </div>
  );
}
