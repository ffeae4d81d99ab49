/** Formats numbers, durations and times. A missing value is an en dash. */

export const NOTHING = "–";

/** 1234567 → "1.23M", 0.000312 → "3.12e-4", 475 → "475". */
export function formatNumber(value: number | null | undefined, digits = 3): string {
  if (value === null || value === undefined) return NOTHING;
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size >= 1e12 || size < 1e-3) return minus(value.toExponential(digits - 1).replace("e+", "e"));
  const [scale, unit] =
    size >= 1e9 ? [1e9, "G"] : size >= 1e6 ? [1e6, "M"] : size >= 1e4 ? [1e3, "k"] : [1, ""];
  return minus(trimmed(value / scale, digits)) + unit;
}

/** A reward with its sign: "+12.4", "−200". */
export function formatSigned(value: number | null | undefined, digits = 3): string {
  const text = formatNumber(value, digits);
  return value !== null && value !== undefined && value > 0 ? `+${text}` : text;
}

/** 1234567 → "1,234,567". */
export function formatCount(value: number | null | undefined): string {
  return value === null || value === undefined ? NOTHING : minus(Math.round(value).toLocaleString("en-GB"));
}

/** A setting with every digit it was given: 0.0003 → "3e-4", 20000 → "20,000", 0.995 → "0.995". */
export function formatSetting(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && size < 1e-3) return minus(value.toExponential().replace("e+", "e"));
  return minus(value.toLocaleString("en-GB", { maximumFractionDigits: 12 }));
}

/** "1 run", "2 runs"; irregular plurals are given: formatPlural(2, "entry", "entries"). */
export function formatPlural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** 0.4237 → "42 %". */
export function formatPercent(fraction: number | null | undefined, digits = 0): string {
  return fraction === null || fraction === undefined ? NOTHING : `${(fraction * 100).toFixed(digits)} %`;
}

/** 3725 → "1 h 02 min", 65 → "1 min 05 s", 4.21 → "4.2 s". */
export function formatDuration(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return NOTHING;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const total = Math.round(seconds);
  const [days, hours, minutes] = [
    Math.floor(total / 86400),
    Math.floor(total / 3600) % 24,
    Math.floor(total / 60) % 60,
  ];
  if (days > 0) return `${days} d ${pad(hours)} h`;
  if (hours > 0) return `${hours} h ${pad(minutes)} min`;
  return minutes > 0 ? `${minutes} min ${pad(total % 60)} s` : `${total} s`;
}

/** Local time of day, "14:05". */
export function formatClock(at: string | number | Date): string {
  const date = new Date(at);
  return `${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

/** "today 14:05", "3 Mar 14:05", "3 Mar 2025". */
export function formatDate(at: string | number | Date, now: Date = new Date()): string {
  const date = new Date(at);
  if (date.toDateString() === now.toDateString()) return `today ${formatClock(date)}`;
  const day = `${date.getDate()} ${MONTHS[date.getMonth()]}`;
  return date.getFullYear() === now.getFullYear()
    ? `${day} ${formatClock(date)}`
    : `${day} ${date.getFullYear()}`;
}

/** 8123456 → "8.12 MB". */
export function formatBytes(bytes: number | null | undefined): string {
  if (bytes === null || bytes === undefined) return NOTHING;
  const units = ["B", "kB", "MB", "GB", "TB"];
  let [value, unit] = [bytes, 0];
  while (value >= 1000 && unit < units.length - 1) [value, unit] = [value / 1000, unit + 1];
  return `${unit === 0 ? value : trimmed(value, 3)} ${units[unit]}`;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const pad = (value: number) => String(value).padStart(2, "0");
const minus = (text: string) => text.replace(/^-/, "−");

function trimmed(value: number, digits: number): string {
  const whole = value === 0 ? 1 : Math.floor(Math.log10(Math.abs(value))) + 1;
  const text = value.toFixed(Math.max(0, digits - whole));
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}
