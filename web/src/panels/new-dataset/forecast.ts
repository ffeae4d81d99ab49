/** A forecast in words. Pure. */
import type { DatasetForecast } from "@/api/types";
import { formatBytes, formatDuration, formatPlural } from "@/lib/format";

/** After the last keystroke. */
export const FORECAST_MS = 250;

/** "120 episodes, 24,000 steps, about 3.2 MB; 40 GB are free."; empty where only the problem counts. */
export function forecastText(forecast: DatasetForecast): string {
  const { episodes, transitions, bytes, seconds, problem, free_bytes: free } = forecast;
  if (problem) return "";
  if (episodes === 0) return "No episode fulfils the conditions.";
  const parts = [
    episodes == null ? null : formatPlural(episodes, "episode"),
    transitions == null ? null : formatPlural(transitions, "step"),
    bytes == null ? null : `about ${formatBytes(bytes)}`,
    seconds == null ? null : seconds < 1 ? "less than a second" : `about ${formatDuration(seconds)}`,
  ].filter(Boolean);
  const made = parts.length > 0 ? parts.join(", ") : "How much it will be is not known beforehand";
  return `${made}; ${formatBytes(free)} are free.`;
}

/** Why a job would be refused or fail, and what to do; null when nothing is known against it. */
export function whyRefused({ problem, remedy, bytes, free_bytes: free }: DatasetForecast): string | null {
  if (problem) return [problem, remedy].filter(Boolean).join(" ");
  return bytes != null && bytes > free
    ? "That does not fit on the disk: choose less, or free some space on the System page."
    : null;
}
