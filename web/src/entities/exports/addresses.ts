/** Where exports and packs of runs and studies are downloaded from. */
import { mediaAddress } from "@/api/addresses";
import type { ExportFormat, TableName } from "@/api/types";

export interface Subjects {
  runs?: readonly string[];
  studies?: readonly string[];
}

/** More ids do not fit an address. */
export const MOST_IN_ADDRESS = 1000;

const idsOf = ({ runs = [], studies = [] }: Subjects): [string, string][] => [
  ...runs.map((id): [string, string] => ["runs", id]),
  ...studies.map((id): [string, string] => ["studies", id]),
];

const withQuery = (path: string, query: [string, string][]): string =>
  mediaAddress(`${path}?${new URLSearchParams(query)}`);

export const exportAddress = (
  subjects: Subjects,
  format: ExportFormat,
  table: TableName = "metrics",
): string => withQuery("/api/exports", [...idsOf(subjects), ["format", format], ["table", table]]);

export const packAddress = (subjects: Subjects): string => withQuery("/api/packs", idsOf(subjects));

/** What the menus offer, in their order. */
export const EXPORTS: readonly { title: string; format: ExportFormat; table?: TableName }[] = [
  { title: "All points (CSV)", format: "csv" },
  { title: "All points (Parquet)", format: "parquet" },
  { title: "All points (JSON)", format: "json" },
  { title: "Episodes (CSV)", format: "csv", table: "episodes" },
  { title: "Runs (CSV)", format: "csv", table: "runs" },
  { title: "Reward curves (PNG)", format: "png" },
  { title: "Reward curves (SVG)", format: "svg" },
  { title: "Report (HTML)", format: "html" },
  { title: "TensorBoard files", format: "tensorboard" },
];
