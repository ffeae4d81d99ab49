/** The datasets that the chosen learner can learn from; the environment of the run is that of the dataset. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useId, useState } from "react";
import type { Dataset, DatasetVersion } from "@/api/types";
import { IntegrityBadge } from "@/entities/datasets/DatasetBadges";
import { datasetsQuery } from "@/entities/datasets/queries";
import { returnText, spell } from "@/entities/datasets/words";
import { formatCount, formatPlural } from "@/lib/format";
import type { TrainingFormProps } from "@/pages/lab/configure/form-props";
import { cx } from "@/ui/cx";
import { Panel } from "@/ui/Panel";
import { SearchField } from "@/ui/SearchField";
import { Select } from "@/ui/Select";
import { ErrorState, Loading } from "@/ui/states";
import { chosenVersion, filterDatasets, whyNotDataset } from "./choices";

const FEW = 8;

export default function DatasetChoice({ state, draft, errors }: TrainingFormProps) {
  const datasets = useQuery(datasetsQuery);
  const [query, setQuery] = useState("");
  const all = datasets.data ?? [];
  const found = filterDatasets(all, query);
  const chosen = chosenVersion(all, draft.dataset);
  const { envId, setDataset } = state;
  // A link names the dataset; what the form shows for it depends on its environment.
  useEffect(() => {
    if (chosen?.env_id && chosen.env_id !== envId) setDataset(spell(chosen), chosen.env_id);
  });
  const message =
    errors.dataset?.message ?? errors.env_id?.message ?? missingText(draft.dataset, chosen, datasets);
  return (
    <Panel
      title="Dataset select"
      caps
      aside={<span className="figures text-2xs text-ink-3">{datasets.data ? found.length : ""}</span>}
      flush
      className="shrink-0"
    >
      <div className="p-2 pb-0">
        <SearchField label="Filter datasets" value={query} onChange={setQuery} />
      </div>
      <div
        className="flex max-h-96 flex-col gap-1 overflow-y-auto p-2"
        role="radiogroup"
        aria-label="Dataset"
      >
        {datasets.isPending && <Loading lines={4} label="Loading the datasets" />}
        {datasets.isError && <ErrorState error={datasets.error} onRetry={() => void datasets.refetch()} />}
        {found.slice(0, query ? undefined : Math.max(FEW, indexOf(found, chosen) + 1)).map((dataset) => {
          const shown = chosen?.name === dataset.name ? chosen : dataset.versions[0]!;
          return (
            <DatasetRow
              key={dataset.name}
              version={shown}
              isChosen={chosen?.name === dataset.name}
              reason={whyNotDataset(shown, draft.offer)}
              onChoose={() => setDataset(spell(shown), shown.env_id)}
            />
          );
        })}
        {datasets.isSuccess && found.length === 0 && <NoDataset query={query} />}
      </div>
      {chosen && <Chosen chosen={chosen} datasets={all} onChoose={setDataset} />}
      {message && (
        <p role="alert" className="px-3 pb-3 text-xs text-warn">
          {message}
        </p>
      )}
    </Panel>
  );
}

const indexOf = (found: readonly Dataset[], chosen: DatasetVersion | undefined): number =>
  found.findIndex(({ name }) => name === chosen?.name);

/** What a link names and the lab does not have. */
function missingText(
  wanted: string,
  chosen: DatasetVersion | undefined,
  datasets: { isSuccess: boolean },
): string | null {
  return wanted && !chosen && datasets.isSuccess
    ? `There is no dataset “${wanted}”; choose another one.`
    : null;
}

interface DatasetRowProps {
  version: DatasetVersion;
  isChosen: boolean;
  reason: string | null;
  onChoose: () => void;
}

function DatasetRow({ version, isChosen, reason, onChoose }: DatasetRowProps) {
  const id = useId();
  return (
    <label
      className={cx(
        "flex cursor-pointer items-start gap-2 rounded-sm border px-2.5 py-2 text-xs hover:bg-sunken",
        isChosen ? "border-ink bg-select" : "border-line",
        reason && "cursor-not-allowed text-ink-3",
      )}
    >
      <input
        type="radio"
        name="dataset"
        checked={isChosen}
        disabled={reason !== null}
        onChange={onChoose}
        aria-describedby={id}
        className="mt-0.5 accent-ink"
      />
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center justify-between gap-x-2 gap-y-1">
          <span className="min-w-0 font-medium break-all">{spell(version)}</span>
          <IntegrityBadge version={version} />
        </span>
        <span id={id} className="figures mt-0.5 block text-2xs text-ink-3">
          {reason ??
            [
              version.env_id || "environment unknown",
              formatPlural(version.episodes, "episode"),
              `return ${returnText(version.statistics)}`,
            ].join(" · ")}
        </span>
      </span>
    </label>
  );
}

interface ChosenProps {
  chosen: DatasetVersion;
  datasets: readonly Dataset[];
  onChoose: (dataset: string, env: string) => void;
}

/** Which version, and what comes from it. */
function Chosen({ chosen, datasets, onChoose }: ChosenProps) {
  const id = useId();
  const versions = datasets.find(({ name }) => name === chosen.name)?.versions ?? [];
  return (
    <div className="flex flex-col gap-1.5 border-t px-3 py-2 text-xs text-ink-2">
      {versions.length > 1 && (
        <div className="flex items-center gap-2">
          <label htmlFor={id}>Version</label>
          <Select
            id={id}
            label="Version"
            value={spell(chosen)}
            options={versions.map((one) => ({
              value: spell(one),
              title: `v${one.version}, ${formatCount(one.transitions)} steps`,
              reason: null,
            }))}
            onChange={(value) => onChoose(value, chosen.env_id)}
          />
        </div>
      )}
      <p>
        {`${formatCount(chosen.transitions)} steps${chosen.env_id ? ` of ${chosen.env_id}` : ""}. `}
        <Link
          to="/datasets/$name"
          params={{ name: chosen.name }}
          search={{ v: chosen.version }}
          className="underline underline-offset-4"
        >
          Look at it
        </Link>
      </p>
    </div>
  );
}

function NoDataset({ query }: { query: string }) {
  if (query) return <p className="px-2 py-6 text-center text-sm text-ink-3">No dataset matches “{query}”.</p>;
  return (
    <p className="px-2 py-4 text-sm text-ink-2">
      There is no dataset yet.{" "}
      <Link to="/datasets" className="underline underline-offset-4">
        Make or import one
      </Link>
      .
    </p>
  );
}
