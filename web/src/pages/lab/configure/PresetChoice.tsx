/** The two questions of a preset: how to learn, and how long. */
import { useQuery } from "@tanstack/react-query";
import type { Preset } from "@/api/types";
import { learnsFromData } from "@/entities/runners/offers";
import { speedQuery } from "@/entities/runners/speed";
import { formatDuration, formatNumber, formatPlural } from "@/lib/format";
import type { Draft } from "@/pages/lab/draft/draft";
import { MAX_EPISODES, MAX_SECONDS } from "@/pages/lab/draft/ends";
import type { DraftState } from "@/pages/lab/draft/use-draft";
import { Button } from "@/ui/Button";

export function PresetChoice({ state, draft }: { state: DraftState; draft: Draft }) {
  const { runner, algorithm } = draft.offer;
  const speed = useQuery(speedQuery(draft.envId, runner.id, algorithm.id)).data?.steps_per_second ?? null;
  return (
    <>
      {state.presets.length > 0 && (
        <fieldset>
          <legend className="label mb-2 text-ink-3">How</legend>
          <Buttons
            presets={state.presets}
            chosen={draft.preset?.id}
            onChoose={(preset) => state.choose({ preset })}
          />
          <p className="mt-1.5 text-xs text-ink-3">{presetNote(draft.preset)}</p>
        </fieldset>
      )}
      {state.lengths.length > 0 && (
        <fieldset>
          <legend className="label mb-2 text-ink-3">How long</legend>
          <Buttons
            presets={state.lengths}
            chosen={draft.totalTimesteps === null ? draft.length?.id : undefined}
            noteOf={(length) => lengthNote(length, speed, learnsFromData(draft.offer) ? "updates" : "steps")}
            onChoose={(length) => state.setLength(length === draft.length?.id ? undefined : length)}
          />
          <p className="mt-1.5 text-xs text-ink-3">
            {draft.length || isChosenBelow(draft)
              ? ""
              : "Not chosen: as long as the preset needs, see below."}
          </p>
        </fieldset>
      )}
    </>
  );
}

const isChosenBelow = ({ totalTimesteps, options }: Draft): boolean =>
  totalTimesteps !== null || MAX_SECONDS in options || MAX_EPISODES in options;

interface ButtonsProps {
  presets: readonly Preset[];
  chosen: string | undefined;
  noteOf?: (preset: Preset) => string[];
  onChoose: (id: string) => void;
}

function Buttons({ presets, chosen, noteOf, onChoose }: ButtonsProps) {
  return (
    <div
      className={`grid gap-1 ${presets.length < 3 ? "grid-cols-[repeat(auto-fit,minmax(8rem,1fr))]" : "grid-cols-3"}`}
    >
      {presets.map((preset) => (
        <div key={preset.id} className="flex min-w-0 flex-col gap-1">
          <Button
            small
            kind={preset.id === chosen ? "primary" : "outline"}
            title={preset.description}
            aria-pressed={preset.id === chosen}
            className="w-full px-1! tracking-normal!"
            onClick={() => onChoose(preset.id)}
          >
            {preset.title}
          </Button>
          {noteOf?.(preset).map((line) => (
            <span key={line} className="text-center text-2xs leading-tight text-ink-3">
              {line}
            </span>
          ))}
        </div>
      ))}
    </div>
  );
}

/** "Preset Fast for CartPole-v1 sets 12 values." */
export function presetNote(preset: Preset | undefined): string {
  if (!preset) return "No preset: the algorithm's own defaults.";
  const where = preset.env_id ? ` for ${preset.env_id}` : "";
  return `Preset ${preset.title}${where} sets ${formatPlural(Object.keys(preset.params).length, "value")}.`;
}

/** "20k steps" and "about 4.0 s", or "1 h 00 min" and "about 7.2M steps": one line each. */
export function lengthNote(length: Preset, stepsPerSecond: number | null, unit = "steps"): string[] {
  if (length.max_seconds) {
    const time = formatDuration(length.max_seconds);
    return stepsPerSecond
      ? [time, `about ${formatNumber(length.max_seconds * stepsPerSecond, 2)} ${unit}`]
      : [time];
  }
  const steps = length.total_timesteps ?? 0;
  const amount = `${formatNumber(steps)} ${unit}`;
  return stepsPerSecond ? [amount, `about ${formatDuration(steps / stepsPerSecond)}`] : [amount];
}
