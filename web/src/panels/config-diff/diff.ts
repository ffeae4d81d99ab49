/** Compares configurations: one row per setting, those that differ first. Pure. */

export type Config = Record<string, unknown>;

export interface DiffRow {
  name: string;
  values: unknown[];
  differs: boolean;
}

export function diffOf(configs: readonly Config[]): DiffRow[] {
  const flat = configs.map((config) => flattened(config));
  const names = [...new Set(flat.flatMap((config) => Object.keys(config)))];
  const rows = names.map((name) => {
    const values = flat.map((config) => config[name]);
    return { name, values, differs: values.some((value) => !isSame(value, values[0])) };
  });
  // Within both halves the settings keep their order.
  return [...rows.filter((row) => row.differs), ...rows.filter((row) => !row.differs)];
}

/** Settings within settings get a dotted name; lists are values. */
export function flattened(config: Config, prefix = ""): Config {
  const entries = Object.entries(config).flatMap(([name, value]) =>
    isPlain(value) && Object.keys(value).length > 0
      ? Object.entries(flattened(value, `${prefix}${name}.`))
      : [[`${prefix}${name}`, value] as const],
  );
  return Object.fromEntries(entries);
}

export function valueText(value: unknown): string {
  if (value === undefined) return "–";
  if (value === null) return "none";
  if (typeof value === "number" && value !== 0 && Math.abs(value) < 1e-3)
    return value.toExponential().replace("e+", "e");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

const isPlain = (value: unknown): value is Config =>
  typeof value === "object" && value !== null && !Array.isArray(value);
