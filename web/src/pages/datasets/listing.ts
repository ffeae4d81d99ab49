/** Which datasets are listed and in what order. Pure. */
import type { Dataset, DatasetVersion } from "@/api/types";
import type { DatasetsSearch } from "./search";

/** A dataset with the version that the list shows. */
export interface ListedDataset {
  dataset: Dataset;
  newest: DatasetVersion | undefined;
}

export const DEFAULT_SORT = "-updated";

const VALUES: Record<string, (listed: ListedDataset) => string | number> = {
  name: ({ dataset }) => dataset.name.toLowerCase(),
  environment: ({ newest }) => newest?.env_id ?? "",
  episodes: ({ newest }) => newest?.episodes ?? -1,
  steps: ({ newest }) => newest?.transitions ?? -1,
  size: ({ newest }) => newest?.size ?? -1,
  return: ({ newest }) => newest?.statistics?.return_mean ?? Number.NEGATIVE_INFINITY,
  learned: ({ newest }) => newest?.learned_by ?? 0,
  updated: ({ dataset }) => Date.parse(newestAt(dataset)),
};

export const newestAt = (dataset: Dataset): string => dataset.versions[0]?.created_at ?? dataset.updated_at;

export function listed(datasets: readonly Dataset[], search: DatasetsSearch): ListedDataset[] {
  const words = (search.q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const found = datasets
    .map((dataset) => ({ dataset, newest: dataset.versions[0] }))
    .filter(({ dataset, newest }) => {
      if (search.env && newest?.env_id !== search.env) return false;
      const text = [
        dataset.name,
        dataset.note,
        newest?.env_id,
        newest?.source,
        newest?.licence,
        newest?.sha256,
      ]
        .join(" ")
        .toLowerCase();
      return words.every((word) => text.includes(word));
    });
  return sorted(found, search.sort ?? DEFAULT_SORT);
}

function sorted(found: ListedDataset[], sort: string): ListedDataset[] {
  const value = VALUES[sort.replace(/^-/, "")] ?? VALUES.updated!;
  const sign = sort.startsWith("-") ? -1 : 1;
  return found.sort((a, b) => {
    const [one, other] = [value(a), value(b)];
    if (one === other) return a.dataset.name.localeCompare(b.dataset.name);
    return (one < other ? -1 : 1) * sign;
  });
}

export const environmentsOf = (datasets: readonly Dataset[]): string[] =>
  [...new Set(datasets.flatMap(({ versions }) => versions[0]?.env_id || []))].sort();
