/** The columns of the table of datasets. */
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { IntegrityBadge, VerifiedBadge } from "@/entities/datasets/DatasetBadges";
import { LearnersLink } from "@/entities/datasets/LearnersLink";
import { returnText } from "@/entities/datasets/words";
import { formatBytes, formatCount, formatDate, formatPlural, NOTHING } from "@/lib/format";
import type { ColumnHead } from "@/panels/table/sort";
import { type ListedDataset, newestAt } from "./listing";

export interface DatasetColumn extends ColumnHead {
  cell: (listed: ListedDataset) => ReactNode;
}

export const COLUMNS: readonly DatasetColumn[] = [
  {
    id: "name",
    title: "Dataset",
    width: "minmax(12rem,1fr)",
    sort: "name",
    cell: (listed) => <NameCell {...listed} />,
  },
  {
    id: "environment",
    title: "Environment",
    width: "10rem",
    sort: "environment",
    cell: ({ newest }) => <span className="block truncate">{newest?.env_id || NOTHING}</span>,
  },
  {
    id: "episodes",
    title: "Episodes",
    width: "6.5rem",
    sort: "episodes",
    isFigure: true,
    cell: ({ newest }) => formatCount(newest?.episodes),
  },
  {
    id: "steps",
    title: "Steps",
    width: "7rem",
    sort: "steps",
    isFigure: true,
    cell: ({ newest }) => formatCount(newest?.transitions),
  },
  {
    id: "size",
    title: "Size",
    width: "6rem",
    sort: "size",
    isFigure: true,
    cell: ({ newest }) => formatBytes(newest?.size),
  },
  {
    id: "return",
    title: "Mean return",
    width: "8.5rem",
    sort: "return",
    isFigure: true,
    help: "Mean over the episodes, ± their standard deviation.",
    cell: ({ newest }) => returnText(newest?.statistics),
  },
  {
    id: "state",
    title: "State",
    width: "12.5rem",
    help: "Whether the files are what was written, and whether the steps happen again when they are simulated.",
    cell: ({ newest }) =>
      newest && (
        <span className="flex flex-wrap gap-1">
          <IntegrityBadge version={newest} />
          <VerifiedBadge version={newest} />
        </span>
      ),
  },
  {
    id: "learned",
    title: "Learned by",
    width: "6.5rem",
    sort: "learned",
    isFigure: true,
    help: "Trainings that learned from exactly this version.",
    cell: ({ newest }) =>
      newest?.learned_by ? (
        <LearnersLink sha256={newest.sha256}>{formatPlural(newest.learned_by, "run")}</LearnersLink>
      ) : (
        NOTHING
      ),
  },
  {
    id: "updated",
    title: "Newest version",
    width: "8rem",
    sort: "updated",
    cell: ({ dataset }) => <span className="text-xs text-ink-2">{formatDate(newestAt(dataset))}</span>,
  },
];

function NameCell({ dataset, newest }: ListedDataset) {
  const count = dataset.versions.length;
  return (
    <div className="min-w-0">
      <Link
        to="/datasets/$name"
        params={{ name: dataset.name }}
        title={dataset.name}
        className="ring-inside block truncate rounded-sm leading-tight font-medium after:absolute after:inset-0"
      >
        {dataset.name}
      </Link>
      <p className="figures mt-0.5 truncate text-2xs text-ink-3">
        {newest ? `v${newest.version}` : "no version yet"}
        {count > 1 && ` of ${formatPlural(count, "version")}`}
      </p>
    </div>
  );
}
