/** A dataset from recorded episodes: which runs, which of their episodes, counted while one chooses. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Run } from "@/api/types";
import { HistogramBrush } from "@/charts/histograms/HistogramBrush";
import { forecastQuery } from "@/entities/datasets/queries";
import { formatPlural } from "@/lib/format";
import { TextField } from "@/panels/text-field/TextField";
import { cx } from "@/ui/cx";
import { Select } from "@/ui/Select";
import type { NewDatasetStart } from "./dialog";
import {
  counted,
  type EpisodeKind,
  type EpisodesDraft,
  episodesDraft,
  makeOperation,
  suggestName,
  whyNoEpisodes,
  whyNoName,
} from "./draft";
import { EnvironmentField, Labelled, MadeFields } from "./fields";
import { FORECAST_MS } from "./forecast";
import { JobForm } from "./JobForm";
import { numberProblem } from "./numbers";
import { ChosenRuns } from "./RunPicker";
import { useSettled } from "./use-settled";

export interface WayProps {
  start: NewDatasetStart;
  onCancel: () => void;
  onStarted: (job: Run) => void;
}

const KIND_TITLES: Record<EpisodeKind, string> = {
  train: "Training",
  evaluate: "Evaluation",
  play: "Play",
  fork: "Fork",
  duel: "Duel",
};
const KINDS = Object.keys(KIND_TITLES) as EpisodeKind[];

export function EpisodesForm({ start, onCancel, onStarted }: WayProps) {
  const [draft, setDraft] = useState(() => episodesDraft(start.choose, start.name));
  const change = (part: Partial<EpisodesDraft>) => setDraft((before) => ({ ...before, ...part }));
  const noEpisodes = whyNoEpisodes(draft);
  const byHand = Object.values(draft.episodes).reduce((sum, list) => sum + list.length, 0);
  return (
    <JobForm
      operation={noEpisodes ? null : makeOperation(draft)}
      reason={noEpisodes ?? whyNoName(draft.name)}
      submit="Make dataset"
      hasForecast
      onCancel={onCancel}
      onStarted={onStarted}
    >
      {(problems) => (
        <>
          <ChosenRuns
            chosen={draft.runs}
            onChange={(runs) => change({ runs, ...(runs.length === 0 ? { episodes: {} } : {}) })}
          />
          {byHand > 0 && (
            <p className="text-xs text-ink-2">{`Only ${formatPlural(byHand, "episode")} chosen by hand.`}</p>
          )}
          {draft.runs.length === 0 && (
            <div className="grid gap-4 sm:grid-cols-2">
              <TextField
                label="Search of runs (as in the table of runs)"
                value={draft.query}
                placeholder="every run"
                problem={problems.query}
                onChange={(query) => change({ query })}
              />
              <TextField
                label="Tags of the runs, separated by commas"
                value={draft.tags}
                placeholder="any"
                problem={problems.tags}
                onChange={(tags) => change({ tags })}
              />
            </div>
          )}
          <Kinds kinds={draft.kinds} onChange={(kinds) => change({ kinds })} />
          <ReturnRange draft={draft} onChange={change} />
          <div className="grid grid-cols-2 gap-4 sm:grid-cols-4">
            <div className="col-span-2">
              <EnvironmentField
                value={draft.envId}
                placeholder="that of the episodes"
                problem={problems.env_id}
                onChange={(envId) => change({ envId })}
              />
            </div>
            <TextField
              label="Shortest length"
              value={draft.lengthMin}
              placeholder="any"
              problem={numberProblem(draft.lengthMin, "count") ?? problems.length_min}
              onChange={(lengthMin) => change({ lengthMin })}
            />
            <TextField
              label="Longest length"
              value={draft.lengthMax}
              placeholder="any"
              problem={numberProblem(draft.lengthMax, "count") ?? problems.length_max}
              onChange={(lengthMax) => change({ lengthMax })}
            />
            <div className="col-span-2">
              <Labelled title="Who acted">
                <Select
                  label="Who acted"
                  value={draft.who}
                  options={[
                    { value: "", title: "Anyone" },
                    { value: "person", title: "A person" },
                    { value: "agent", title: "A policy" },
                  ]}
                  onChange={(who) => change({ who })}
                />
              </Labelled>
            </div>
            <Labelled title="How many">
              <Select
                label="How many"
                value={draft.limit}
                options={[
                  { value: "", title: "All" },
                  { value: "best", title: "The best" },
                  { value: "newest", title: "The newest" },
                ]}
                onChange={(limit) => change({ limit })}
              />
            </Labelled>
            {draft.limit && (
              <TextField
                label="At most"
                value={draft.most}
                placeholder="100"
                problem={numberProblem(draft.most, "count") ?? problems[draft.limit]}
                onChange={(most) => change({ most })}
              />
            )}
          </div>
          <MadeFields
            draft={draft}
            placeholder={suggestName(draft.envId)}
            problems={problems}
            onChange={change}
          />
        </>
      )}
    </JobForm>
  );
}

function Kinds({ kinds, onChange }: { kinds: EpisodeKind[]; onChange: (kinds: EpisodeKind[]) => void }) {
  return (
    <fieldset>
      <legend className="mb-1 text-xs">Kinds of runs</legend>
      <div className="flex flex-wrap gap-1.5">
        {KINDS.map((kind) => {
          const isOn = kinds.includes(kind);
          return (
            <label
              key={kind}
              className={cx(
                "inline-flex h-8 cursor-pointer items-center gap-2 rounded-sm border px-3 text-sm has-focus-visible:outline-2 has-focus-visible:outline-focus",
                isOn ? "border-ink text-ink" : "border-line-strong text-ink-2",
              )}
            >
              <input
                type="checkbox"
                className="size-3.5 accent-ink"
                checked={isOn}
                onChange={() => onChange(isOn ? kinds.filter((one) => one !== kind) : [...kinds, kind])}
              />
              {KIND_TITLES[kind]}
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}

/** The returns of the episodes that the other conditions leave; bars choose the range. */
function ReturnRange({
  draft,
  onChange,
}: {
  draft: EpisodesDraft;
  onChange: (part: Partial<EpisodesDraft>) => void;
}) {
  const open = makeOperation({
    ...draft,
    returnMin: undefined,
    returnMax: undefined,
    limit: "",
  });
  const settled = useSettled(counted(open), FORECAST_MS);
  const forecast = useQuery({ ...forecastQuery(settled), enabled: whyNoEpisodes(draft) === null });
  const returns = forecast.data?.returns;
  if (!returns || returns.counts.length < 2) return null;
  return (
    <Labelled title="Return: drag over the bars to take">
      <HistogramBrush
        title="Return"
        bars={returns}
        range={{ low: draft.returnMin, high: draft.returnMax }}
        onRange={({ low, high }) => onChange({ returnMin: low, returnMax: high })}
      />
    </Labelled>
  );
}
