/** Compares configurations: one row per setting, those that differ first. Pure. */
import { flattened, isSameValue, type Settings } from "@/entities/run-labels/settings";

export type Config = Settings;

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
    return { name, values, differs: values.some((value) => !isSameValue(value, values[0])) };
  });
  // Within both halves the settings keep their order.
  return [...rows.filter((row) => row.differs), ...rows.filter((row) => !row.differs)];
}
