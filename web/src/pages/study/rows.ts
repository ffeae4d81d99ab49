/** The rows of the table of variants: sorted variants, each followed by its runs where it is unfolded. Pure. */
import type { Comparison, Run, Variant } from "@/api/types";

export type Statistics = NonNullable<Comparison["groups"][number]["statistics"][string]>;

export interface VariantRow {
  kind: "variant";
  variant: Variant;
  statistics: Statistics | undefined;
  mean: number | null | undefined;
  isOpen: boolean;
}
export interface RunRow {
  kind: "run";
  run: Run;
  variant: Variant;
}
export type Row = VariantRow | RunRow;

export interface RowsWanted {
  variants: readonly Variant[];
  comparison: Comparison | undefined;
  /** The values that variants keep are of the measure that is shown. */
  isOwnMeasure: boolean;
  runs: readonly Run[];
  open: ReadonlySet<number>;
  /** The variants to show; null: all. */
  kept: readonly number[] | null;
  sort: string;
}

export function rowsOf({ variants, comparison, isOwnMeasure, runs, open, kept, sort }: RowsWanted): Row[] {
  const statistics = statisticsOf(comparison);
  const shown = kept === null ? variants : variants.filter(({ number }) => kept.includes(number));
  const meanOf = ({ number, value }: Variant) =>
    (isOwnMeasure ? value : null) ?? statistics.get(number)?.mean;
  return sorted(shown, { statistics, meanOf, sort }).flatMap((variant): Row[] => {
    const isOpen = open.has(variant.number);
    const row: Row = {
      kind: "variant",
      variant,
      statistics: statistics.get(variant.number),
      mean: meanOf(variant),
      isOpen,
    };
    const own = isOpen ? runs.filter((run) => run.variant === variant.number) : [];
    return [row, ...own.map((run): Row => ({ kind: "run", run, variant }))];
  });
}

function statisticsOf(comparison: Comparison | undefined): Map<number, Statistics> {
  return new Map(
    comparison?.groups.flatMap(({ variant, statistics }) => {
      const found = statistics[comparison.measure];
      return typeof variant === "number" && found ? [[variant, found] as const] : [];
    }),
  );
}

const PARAMETER = "params.";

interface Order {
  statistics: Map<number, Statistics>;
  meanOf: (variant: Variant) => number | null | undefined;
  sort: string;
}

function sorted(variants: readonly Variant[], { statistics, meanOf, sort }: Order): Variant[] {
  const name = sort.replace(/^-/, "");
  const sign = sort.startsWith("-") ? -1 : 1;
  const key = (variant: Variant): unknown => {
    const found = statistics.get(variant.number);
    if (name.startsWith(PARAMETER)) return variant.settings[name.slice(PARAMETER.length)];
    if (name === "mean") return meanOf(variant);
    if (name === "iqm") return found?.iqm;
    if (name === "seeds") return variant.seeds.length;
    return name === "status" ? variant.status : variant.number;
  };
  return variants.toSorted((a, b) => compare(key(a), key(b), sign) || a.number - b.number);
}

/** What has no value comes last in either direction. */
function compare(a: unknown, b: unknown, sign: number): number {
  const [noA, noB] = [a === undefined || a === null, b === undefined || b === null];
  if (noA || noB) return Number(noA) - Number(noB);
  if (typeof a === "number" && typeof b === "number") return sign * (a - b);
  return sign * String(a).localeCompare(String(b));
}

/** Descending, then ascending, then the default. */
export function nextOrder(name: string, sort: string): string | undefined {
  if (sort === `-${name}`) return name;
  return sort === name ? undefined : `-${name}`;
}
