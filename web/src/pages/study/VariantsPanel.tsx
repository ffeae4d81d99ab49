/** Every variant: what differs, its seeds and numbers; it unfolds to its runs. Only visible rows are rendered. */
import { Link } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { memo, useCallback, useMemo, useRef, useState } from "react";
import type { Comparison, Run, Study, Variant } from "@/api/types";
import { Sparkline } from "@/charts/Sparkline";
import { LEAST_VALUES, rangeText } from "@/entities/evaluations/interval";
import { StatusBadge } from "@/entities/runs/StatusBadge";
import { trainConfigOf } from "@/entities/runs/words";
import { useStudyRuns } from "@/entities/studies/live-studies";
import { VariantBadge } from "@/entities/studies/StudyBadge";
import { differingNames, settingText } from "@/entities/studies/words";
import type { Look } from "@/lib/colour";
import { formatNumber, formatPlural, NOTHING } from "@/lib/format";
import { readableName } from "@/schema-form/fields";
import { cx } from "@/ui/cx";
import { Icon } from "@/ui/icons";
import { Panel } from "@/ui/Panel";
import { nextOrder, type Row, rowsOf, type VariantRow } from "./rows";

const ROW_PX = 44;
/** More rows scroll inside the panel. */
const MOST_PX = 560;
const DEFAULT_SORT = "-mean";
const MOST_SETTINGS = 6;

export interface VariantsPanelProps {
  study: Study;
  variants: readonly Variant[];
  kept: readonly number[] | null;
  comparison: Comparison | undefined;
  /** Whether the comparison is by the measure of the study, of which each variant keeps its value. */
  isOwnMeasure: boolean;
  look: (variant: string) => Look;
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
}

interface Column {
  id: string;
  title: string;
  width: string;
  isFigure?: boolean;
}

export function VariantsPanel(props: VariantsPanelProps) {
  const { study, variants, kept, comparison, isOwnMeasure, look, onSort } = props;
  const sort = props.sort ?? DEFAULT_SORT;
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const runs = useStudyRuns(study.id, open.size > 0);
  const names = useMemo(
    () => (study.plan.sweep ? differingNames(variants).slice(0, MOST_SETTINGS) : []),
    [study.plan.sweep, variants],
  );
  const columns = useMemo(() => columnsOf(names), [names]);
  const rows = useMemo(
    () => rowsOf({ variants, comparison, isOwnMeasure, runs, open, kept, sort }),
    [variants, comparison, isOwnMeasure, runs, open, kept, sort],
  );
  const toggle = useCallback((number: number) => {
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(number)) after.add(number);
      return after;
    });
  }, []);
  const count = kept === null ? variants.length : kept.length;
  return (
    <Panel
      title="Variants"
      flush
      aside={
        <span className="figures text-xs text-ink-3">
          {kept === null ? formatPlural(count, "variant") : `${count} of ${variants.length}`}
        </span>
      }
    >
      <Table
        columns={columns}
        names={names}
        rows={rows}
        sort={sort}
        look={look}
        onSort={onSort}
        onToggle={toggle}
      />
    </Panel>
  );
}

function columnsOf(names: readonly string[]): Column[] {
  return [
    { id: "number", title: "Variant", width: names.length > 0 ? "minmax(6rem,1fr)" : "minmax(14rem,1fr)" },
    ...names.map((name) => ({
      id: `params.${name}`,
      title: readableName(name),
      width: "minmax(6.5rem,9rem)",
      isFigure: true,
    })),
    { id: "seeds", title: "Seeds", width: "4.5rem", isFigure: true },
    { id: "mean", title: "Mean", width: "5.5rem", isFigure: true },
    { id: "iqm", title: "IQM", width: "5.5rem", isFigure: true },
    { id: "interval", title: "Interval of the mean", width: "14rem" },
    { id: "status", title: "Status", width: "8rem" },
  ];
}

interface TableProps {
  columns: readonly Column[];
  names: readonly string[];
  rows: readonly Row[];
  sort: string;
  look: (variant: string) => Look;
  onSort: (sort: string | undefined) => void;
  onToggle: (number: number) => void;
}

function Table({ columns, names, rows, sort, look, onSort, onToggle }: TableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 6,
    getItemKey: (i) => keyOf(rows[i]!),
  });
  const tracks = { gridTemplateColumns: ["2.25rem", ...columns.map(({ width }) => width)].join(" ") };
  return (
    <section
      ref={scroller}
      tabIndex={0}
      aria-label="Table of variants"
      className="ring-inside overflow-auto"
      style={{ maxHeight: MOST_PX }}
    >
      <div role="table" aria-label="Variants" aria-rowcount={rows.length + 1} className="min-w-max">
        <div
          role="row"
          aria-rowindex={1}
          className="label sticky top-0 z-10 grid h-9 items-center border-b bg-surface px-2 text-ink-3"
          style={tracks}
        >
          <div role="columnheader">
            <span className="sr-only">Runs</span>
          </div>
          {columns.map((column) => (
            <Head key={column.id} column={column} sort={sort} onSort={onSort} />
          ))}
        </div>
        <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index]!;
            return (
              <div
                key={item.key}
                role="row"
                aria-rowindex={item.index + 2}
                className={cx(
                  "absolute inset-x-0 grid items-center border-b px-2 text-sm hover:bg-sunken",
                  row.kind === "run" && "bg-bg",
                )}
                style={{ ...tracks, height: ROW_PX, transform: `translateY(${item.start}px)` }}
              >
                {row.kind === "variant" ? (
                  <VariantCells
                    {...row}
                    names={names}
                    colour={look(String(row.variant.number)).colour}
                    onToggle={onToggle}
                  />
                ) : (
                  <RunCells
                    run={row.run}
                    span={columns.length - 2}
                    colour={look(String(row.variant.number)).colour}
                  />
                )}
              </div>
            );
          })}
        </div>
      </div>
    </section>
  );
}

const keyOf = (row: Row): string => (row.kind === "variant" ? `variant ${row.variant.number}` : row.run.id);

function Head({ column, sort, onSort }: { column: Column; sort: string; onSort: TableProps["onSort"] }) {
  const isSorted = sort.replace(/^-/, "") === column.id;
  const order = sort.startsWith("-") ? "descending" : "ascending";
  return (
    <div
      role="columnheader"
      aria-sort={isSorted ? order : undefined}
      className={cx("min-w-0 px-2", column.isFigure && "text-right")}
    >
      {column.id === "interval" ? (
        <span className="truncate">{column.title}</span>
      ) : (
        <button
          type="button"
          onClick={() => onSort(nextOrder(column.id, sort))}
          className={cx(
            "label ring-inside inline-flex h-7 max-w-full items-center gap-1 hover:text-ink",
            isSorted && "text-ink",
          )}
        >
          <span className="truncate">{column.title}</span>
          {isSorted && <Icon name={order === "ascending" ? "up" : "down"} size={11} />}
        </button>
      )}
    </div>
  );
}

const NEEDED = `from ${LEAST_VALUES} seeds on`;
const FIGURE = "figures min-w-0 truncate px-2 text-right text-xs";

interface VariantCellsProps extends Omit<VariantRow, "kind"> {
  names: readonly string[];
  colour: string;
  onToggle: (number: number) => void;
}

const VariantCells = memo(function VariantCells(props: VariantCellsProps) {
  const { variant, statistics, mean, isOpen, names, colour, onToggle } = props;
  return (
    <>
      <div role="cell">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={`Runs of ${variant.label}`}
          onClick={() => onToggle(variant.number)}
          className="ring-inside grid size-8 place-items-center rounded-sm text-ink-3 hover:text-ink"
        >
          <Icon name={isOpen ? "down" : "right"} size={13} />
        </button>
      </div>
      <div role="cell" className="flex min-w-0 items-center gap-2.5 px-2" title={variant.label}>
        <span aria-hidden="true" className="size-2.5 shrink-0 rounded-full" style={{ background: colour }} />
        <span className="truncate">{names.length > 0 ? `#${variant.number}` : variant.label}</span>
      </div>
      {names.map((name) => (
        <div key={name} role="cell" className={FIGURE}>
          {settingText(variant, name)}
        </div>
      ))}
      <div role="cell" className={FIGURE}>
        {seedsText(variant, statistics?.seeds)}
      </div>
      <div role="cell" className={FIGURE}>
        {formatNumber(mean, 4)}
      </div>
      <div role="cell" className={FIGURE}>
        {formatNumber(statistics?.iqm, 4)}
      </div>
      <div role="cell" className="figures min-w-0 truncate px-2 text-xs text-ink-2">
        {statistics?.mean_interval ? rangeText(statistics.mean_interval, statistics.mean_level) : NEEDED}
      </div>
      <div role="cell" className="min-w-0 px-2" title={variant.reason ?? undefined}>
        <VariantBadge status={variant.status} />
        {variant.reason && <p className="truncate text-2xs leading-tight text-ink-3">{variant.reason}</p>}
      </div>
    </>
  );
});

/** "3/5" until every seed has a value. */
const seedsText = ({ seeds }: Variant, withValue = 0): string =>
  withValue < seeds.length ? `${withValue}/${seeds.length}` : String(seeds.length);

const RunCells = memo(function RunCells({ run, span, colour }: { run: Run; span: number; colour: string }) {
  return (
    <>
      <div role="cell" />
      <div
        role="cell"
        className="flex min-w-0 items-center gap-4 px-2 pl-7"
        style={{ gridColumn: `span ${span}` }}
      >
        <Link
          to="/runs/$runId"
          params={{ runId: run.id }}
          preload={false}
          className="ring-inside shrink-0 rounded-sm underline underline-offset-4"
        >
          {`seed ${trainConfigOf(run)?.seed ?? NOTHING}`}
        </Link>
        <Sparkline values={run.summary.sparkline} width={120} height={22} colour={colour} />
        <span className="figures truncate text-xs text-ink-2">
          {`mean ${formatNumber(run.summary.mean_reward)} · best ${formatNumber(run.summary.best_mean_reward)}`}
        </span>
      </div>
      <div role="cell" />
      <div role="cell" className="px-2">
        <StatusBadge status={run.status} cause={run.reason?.cause} />
      </div>
    </>
  );
});
