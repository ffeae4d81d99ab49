/** All datasets: a table, and on a phone a list of cards. */
import { Link } from "@tanstack/react-router";
import { IntegrityBadge, VerifiedBadge } from "@/entities/datasets/DatasetBadges";
import { returnText } from "@/entities/datasets/words";
import { formatBytes, formatDate, formatPlural } from "@/lib/format";
import { useIsNarrow } from "@/lib/narrow";
import { Head } from "@/panels/table/Head";
import { cx } from "@/ui/cx";
import { COLUMNS } from "./columns";
import { DEFAULT_SORT, type ListedDataset, newestAt } from "./listing";

export interface DatasetsTableProps {
  items: readonly ListedDataset[];
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
}

export function DatasetsTable(props: DatasetsTableProps) {
  return useIsNarrow() ? <Cards {...props} /> : <Table {...props} />;
}

function Table({ items, sort, onSort }: DatasetsTableProps) {
  const tracks = { gridTemplateColumns: COLUMNS.map(({ width }) => width).join(" ") };
  return (
    <section aria-label="Datasets" className="overflow-x-auto rounded-md border bg-surface">
      <div role="table" aria-label="Datasets" aria-rowcount={items.length + 1} className="min-w-max">
        <div role="row" className="label grid h-9 items-center border-b px-2 text-ink-3" style={tracks}>
          {COLUMNS.map((column) => (
            <Head key={column.id} column={column} sort={sort ?? DEFAULT_SORT} onSort={onSort} />
          ))}
        </div>
        <div role="rowgroup">
          {items.map((listed) => (
            <div
              key={listed.dataset.name}
              role="row"
              style={tracks}
              className="relative grid min-h-12 items-center border-b px-2 py-1.5 text-sm last:border-0 hover:bg-sunken"
            >
              {COLUMNS.map((column) => (
                <div
                  key={column.id}
                  role="cell"
                  className={cx("min-w-0 px-2", column.isFigure && "figures text-right text-xs")}
                >
                  {column.cell(listed)}
                </div>
              ))}
            </div>
          ))}
        </div>
      </div>
    </section>
  );
}

function Cards({ items }: DatasetsTableProps) {
  return (
    <ul aria-label="Datasets" className="flex flex-col rounded-md border bg-surface">
      {items.map(({ dataset, newest }) => (
        <li key={dataset.name} className="relative flex flex-col gap-1 border-b px-4 py-3 last:border-0">
          <p className="flex items-baseline gap-2">
            <Link
              to="/datasets/$name"
              params={{ name: dataset.name }}
              className="ring-inside min-w-0 truncate font-medium after:absolute after:inset-0"
            >
              {dataset.name}
            </Link>
            {newest && <span className="figures text-2xs text-ink-3">{`v${newest.version}`}</span>}
            <span className="ml-auto shrink-0 text-2xs text-ink-3">{formatDate(newestAt(dataset))}</span>
          </p>
          {newest && (
            <>
              <p className="figures truncate text-2xs text-ink-2">
                {[
                  newest.env_id,
                  formatPlural(newest.episodes, "episode"),
                  formatPlural(newest.transitions, "step"),
                  formatBytes(newest.size),
                ]
                  .filter(Boolean)
                  .join(" · ")}
              </p>
              <p className="flex flex-wrap items-center gap-1.5">
                <span className="figures text-xs">{`Return ${returnText(newest.statistics)}`}</span>
                <span className="ml-auto flex gap-1">
                  <IntegrityBadge version={newest} />
                  <VerifiedBadge version={newest} />
                </span>
              </p>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
