/** All datasets: filter, sort, make a new one; and the jobs under way. */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useDeferredValue, useMemo } from "react";
import { useDatasetJobs } from "@/entities/dataset-jobs/use-dataset-jobs";
import { datasetsQuery } from "@/entities/datasets/queries";
import { DatasetJobs } from "@/panels/dataset-jobs/DatasetJobs";
import { datasetDrop, openNewDataset } from "@/panels/new-dataset/dialog";
import { Button } from "@/ui/Button";
import { SearchField } from "@/ui/SearchField";
import { Select } from "@/ui/Select";
import { EmptyState, ErrorState, Loading } from "@/ui/states";
import { DatasetsTable } from "./DatasetsTable";
import { environmentsOf, listed } from "./listing";
import { NoDatasets } from "./NoDatasets";
import type { DatasetsSearch } from "./search";

const route = getRouteApi("/datasets");

export function DatasetsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const datasets = useQuery(datasetsQuery);
  const jobs = useDatasetJobs();
  const q = useDeferredValue(search.q);
  const items = useMemo(() => listed(datasets.data ?? [], { ...search, q }), [datasets.data, search, q]);
  const onSearch = (change: DatasetsSearch, isStep = false) =>
    void navigate({ search: (s) => ({ ...s, ...change }), replace: !isStep, resetScroll: false });
  const environments = environmentsOf(datasets.data ?? []);
  return (
    <div className="container-page flex flex-col gap-4 py-4 sm:py-6" {...datasetDrop}>
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="title">Datasets</h1>
        <span className="figures text-xs text-ink-3">{datasets.data?.length}</span>
        <div className="w-64 max-sm:order-last max-sm:w-full">
          <SearchField
            label="Filter datasets"
            value={search.q ?? ""}
            onChange={(text) => onSearch({ q: text || undefined })}
          />
        </div>
        {(environments.length > 1 || search.env) && (
          <div className="w-48 max-sm:order-last max-sm:w-full">
            <Select
              label="Environment"
              value={search.env ?? ""}
              options={[
                { value: "", title: "Any environment" },
                ...[...new Set([...environments, ...(search.env ? [search.env] : [])])].map((env) => ({
                  value: env,
                  title: env,
                })),
              ]}
              onChange={(env) => onSearch({ env: env || undefined }, true)}
            />
          </div>
        )}
        <Button kind="primary" icon="plus" className="ml-auto" onClick={() => openNewDataset()}>
          New dataset
        </Button>
      </div>
      <DatasetJobs jobs={jobs} />
      {datasets.isPending && <Loading lines={8} />}
      {datasets.isError && <ErrorState error={datasets.error} onRetry={() => void datasets.refetch()} />}
      {datasets.isSuccess && datasets.data.length === 0 && <NoDatasets />}
      {datasets.isSuccess && datasets.data.length > 0 && items.length === 0 && (
        <EmptyState
          title="No dataset matches"
          action={
            <Button small onClick={() => onSearch({ q: undefined, env: undefined }, true)}>
              Clear the filter
            </Button>
          }
        >
          No dataset has everything that the filter asks for.
        </EmptyState>
      )}
      {items.length > 0 && (
        <DatasetsTable items={items} sort={search.sort} onSort={(sort) => onSearch({ sort }, true)} />
      )}
    </div>
  );
}
