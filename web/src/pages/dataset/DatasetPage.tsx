/** One version of a dataset: what it is, its statistics, its episodes, and what can be done with it. */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { ProblemError } from "@/api/problem";
import type { Dataset, DatasetVersion } from "@/api/types";
import { useDatasetJobs } from "@/entities/dataset-jobs/use-dataset-jobs";
import { datasetQuery } from "@/entities/datasets/queries";
import { usePatchDataset } from "@/entities/datasets/use-dataset-actions";
import { versionOf } from "@/entities/datasets/words";
import { environmentsQuery } from "@/entities/environments/queries";
import { DatasetJobs } from "@/panels/dataset-jobs/DatasetJobs";
import { NotePanel } from "@/panels/notes/NotePanel";
import { EmptyState, ErrorState, Loading } from "@/ui/states";
import { toastProblem } from "@/ui/toasts";
import { DatasetHeader } from "./DatasetHeader";
import type { Asked } from "./dialogs/asked";
import { DatasetDialogs } from "./dialogs/DatasetDialogs";
import { EpisodesPanel } from "./EpisodesPanel";
import { FactsPanel } from "./FactsPanel";
import { StatePanel } from "./StatePanel";
import { StatisticsPanel } from "./StatisticsPanel";
import type { DatasetSearch } from "./search";
import { VersionsPanel } from "./VersionsPanel";

const route = getRouteApi("/datasets/$name");

export function DatasetPage() {
  const { name } = route.useParams();
  const { v } = route.useSearch();
  const dataset = useQuery(datasetQuery(name));
  if (dataset.isPending)
    return (
      <div className="p-6">
        <Loading lines={6} />
      </div>
    );
  if (dataset.isError)
    return (
      <>
        <h1 className="sr-only">This dataset cannot be shown</h1>
        <NotShown error={dataset.error} onRetry={() => void dataset.refetch()} />
      </>
    );
  const version = versionOf(dataset.data, v);
  return version ? (
    <Version key={name} dataset={dataset.data} version={version} />
  ) : (
    <NoVersion dataset={dataset.data} wanted={v} />
  );
}

function NotShown({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const isMissing = error instanceof ProblemError && [404, 410].includes(error.status);
  if (!isMissing) return <ErrorState error={error} onRetry={onRetry} />;
  return <ErrorState title="No such dataset" error={error} action={<AllDatasets />} />;
}

const AllDatasets = () => (
  <Link to="/datasets" className="mt-2 text-sm font-semibold underline underline-offset-4">
    All datasets
  </Link>
);

function NoVersion({ dataset, wanted }: { dataset: Dataset; wanted: number | undefined }) {
  const newest = dataset.versions[0];
  return (
    <>
      <h1 className="sr-only">{dataset.name}</h1>
      <EmptyState
        title={wanted === undefined ? "No version yet" : `${dataset.name} has no version ${wanted}`}
        action={
          newest ? (
            <Link
              to="/datasets/$name"
              params={{ name: dataset.name }}
              className="text-sm font-semibold underline underline-offset-4"
            >
              {`Open version ${newest.version}`}
            </Link>
          ) : (
            <AllDatasets />
          )
        }
      >
        {newest ? "It may have been deleted." : "The job that makes it is still at work, or failed."}
      </EmptyState>
    </>
  );
}

function Version({ dataset, version }: { dataset: Dataset; version: DatasetVersion }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const jobs = useDatasetJobs(dataset.name);
  const patch = usePatchDataset(dataset.name);
  const [asked, setAsked] = useState<Asked | null>(null);
  const onSearch = useCallback(
    (change: DatasetSearch, isStep = false) =>
      void navigate({ search: (s) => ({ ...s, ...change }), replace: !isStep, resetScroll: false }),
    [navigate],
  );
  const environments = useQuery(environmentsQuery).data;
  const actionNames = environments?.find(({ id }) => id === version.env_id)?.action_names ?? [];
  const onVersion = (number: number) =>
    void navigate({ search: { v: number === dataset.versions[0]?.version ? undefined : number } });
  return (
    <div className="container-page flex flex-col gap-4 py-4">
      <DatasetHeader dataset={dataset} version={version} onVersion={onVersion} onAsk={setAsked} />
      <DatasetJobs jobs={jobs} />
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="flex min-w-0 flex-col gap-4">
          {version.statistics && (
            <StatisticsPanel
              version={version}
              statistics={version.statistics}
              actionNames={actionNames}
              search={search}
              onSearch={onSearch}
            />
          )}
          <EpisodesPanel key={version.version} version={version} search={search} onSearch={onSearch} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <StatePanel version={version} jobs={jobs} onSearch={onSearch} />
          <FactsPanel version={version} />
          <VersionsPanel dataset={dataset} shown={version} onVersion={onVersion} onAsk={setAsked} />
          <NotePanel
            about="this dataset"
            note={dataset.note}
            onSave={(note) => patch.mutate({ note }, { onError: toastProblem })}
          />
        </div>
      </div>
      <DatasetDialogs
        dataset={dataset}
        version={version}
        jobs={jobs}
        asked={asked}
        onClose={() => setAsked(null)}
        onRenamed={(next) =>
          void navigate({ to: "/datasets/$name", params: { name: next }, search: (s) => s, replace: true })
        }
        onDeleted={(number) =>
          void (number === null
            ? navigate({ to: "/datasets" })
            : number === version.version && navigate({ search: {}, replace: true }))
        }
      />
    </div>
  );
}
