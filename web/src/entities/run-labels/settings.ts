/** The settings of runs as names and values that a person reads. Pure. */
import { formatDuration, formatPlural, formatSetting } from "@/lib/format";

export type Settings = Record<string, unknown>;

/** Settings within settings get a dotted name; lists are values. */
export function flattened(settings: Settings, prefix = ""): Settings {
  const entries = Object.entries(settings).flatMap(([name, value]) =>
    isPlain(value) && Object.keys(value).length > 0
      ? Object.entries(flattened(value, `${prefix}${name}.`))
      : [[`${prefix}${name}`, value] as const],
  );
  return Object.fromEntries(entries);
}

/** "none" for null, an en dash for what is missing, numbers as `formatSetting` writes them. */
export function valueText(value: unknown): string {
  if (value === undefined) return "–";
  if (value === null) return "none";
  if (typeof value === "number") return formatSetting(value);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Values that name themselves need no name in front of them. */
const BARE = new Set(["algorithm", "env_id", "runner", "preset"]);

/** "learning rate 0.002", "no normalize reward", "20,000 steps", "CartPole-v1"; `unit`: what the run counts. */
export function settingText(name: string, value: unknown, unit = "step"): string {
  if (BARE.has(name)) return value === null ? `no ${name}` : String(value).replaceAll("_", " ");
  if (name === "max_seconds") return value ? formatDuration(Number(value)) : "no time limit";
  if (name === "max_episodes") return value ? formatPlural(Number(value), "episode") : "no episode limit";
  if (name === "total_timesteps" && !value) return `no ${unit} limit`;
  if (name === "total_timesteps") return formatPlural(Number(value), unit);
  const words = name.replaceAll("_", " ");
  if (typeof value === "boolean") return value ? words : `no ${words}`;
  if (name === "wrappers" && Array.isArray(value)) return value.map(wrapperText).join(", ") || "no wrappers";
  if (Array.isArray(value)) return `${words} ${value.map(valueText).join(", ")}`;
  return `${words} ${valueText(value)}`;
}

/** "time limit steps 200" */
function wrapperText(wrapper: unknown): string {
  if (!isPlain(wrapper)) return valueText(wrapper);
  const { id, ...settings } = wrapper;
  const given = Object.entries(settings).map(([name, value]) => settingText(name, value));
  return [String(id).replaceAll("_", " "), ...given].join(" ");
}

export const isSameValue = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const isPlain = (value: unknown): value is Settings =>
  typeof value === "object" && value !== null && !Array.isArray(value);
