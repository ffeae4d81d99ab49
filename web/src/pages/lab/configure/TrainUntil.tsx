/** When the run ends: steps, time, episodes, solved; the first that is reached. With an estimate of the other figure. */
import { useQuery } from "@tanstack/react-query";
import { learnsFromData, offerId } from "@/entities/runners/offers";
import { speedQuery } from "@/entities/runners/speed";
import { formatNumber } from "@/lib/format";
import { canStopEarly, SOLVED, UNTIL } from "@/pages/lab/draft/draft";
import { endsOf, estimateText, MAX_EPISODES, MAX_SECONDS, severalText } from "@/pages/lab/draft/ends";
import { NumberField } from "@/schema-form/NumberField";
import { Switch } from "@/ui/Switch";
import type { TrainingFormProps } from "./form-props";
import { TimeFields } from "./TimeFields";
import { TimestepsField } from "./TimestepsField";

export function TrainUntil({ state, draft, errors }: TrainingFormProps) {
  const { environment } = state;
  const { runner, algorithm } = draft.offer;
  const speed = useQuery(speedQuery(draft.envId, runner.id, algorithm.id)).data;
  const ends = endsOf(draft);
  const unit = learnsFromData(draft.offer) ? "update" : "step";
  const several = severalText(ends, unit);
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="label mb-2 text-ink-3">Train until</legend>
      <TimestepsField
        key={offerId(draft.offer)}
        label={unit === "update" ? "Updates" : "Total Timesteps"}
        value={draft.totalTimesteps}
        preset={draft.totalTimesteps === null ? ends.steps : null}
        error={errors.total_timesteps?.message}
        onChange={state.setTotalTimesteps}
      />
      <div className="grid grid-cols-[3fr_2fr] gap-3">
        <TimeFields value={ends.seconds} error={errors[MAX_SECONDS]?.message} onChange={state.setTime} />
        <NumberField
          label="Episodes"
          value={ends.episodes}
          placeholder="no limit"
          example="500"
          error={errors[MAX_EPISODES]?.message}
          onChange={(episodes) => state.setOptions({ [MAX_EPISODES]: episodes })}
        />
      </div>
      {canStopEarly(draft.offer, environment) && (
        <div className="flex items-center justify-between gap-3">
          <span className="text-xs">{`Stop when solved (${formatNumber(environment?.reward_threshold)})`}</span>
          <Switch
            label="Stop when the environment is solved"
            checked={draft.options[UNTIL] === SOLVED}
            onChange={(stops) => state.setOptions({ [UNTIL]: stops ? SOLVED : "timesteps" })}
          />
        </div>
      )}
      <p className="text-xs text-ink-3">
        {several && <span className="block">{several}</span>}
        <span>{estimateText(ends, speed, unit)}</span>
      </p>
    </fieldset>
  );
}
