/** The facts of a version as rows. Pure. */
import type { DatasetVersion } from "@/api/types";
import { returnText, shareText, spaceText } from "@/entities/datasets/words";
import { formatBytes, formatCount, formatDate, formatNumber, formatPlural } from "@/lib/format";

export interface Fact {
  title: string;
  value: string;
  /** What it means. */
  help?: string;
  /** The content hash of a version: the value links to the runs that learned from it. */
  learners?: string;
}

type Row = [title: string, value: string | null | undefined | false, help?: string, learners?: string];

const facts = (rows: Row[]): Fact[] =>
  rows.flatMap(([title, value, help, learners]) => (value ? [{ title, value, help, learners }] : []));

export function factsOf(version: DatasetVersion): Fact[] {
  const kwargs = Object.entries(version.env_kwargs);
  return facts([
    ["Environment", version.env_id || "not named by its source"],
    ["Environment settings", kwargs.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(", ")],
    ["Observation", spaceText(version.observation_space)],
    ["Action", spaceText(version.action_space)],
    ["Episodes", formatCount(version.episodes)],
    ["Steps", formatCount(version.transitions)],
    ["Size", formatBytes(version.size)],
    ["Licence", version.licence || "not stated"],
    ["Source", version.source],
    [
      "Normalised score",
      version.reference &&
        `0 = ${formatNumber(version.reference.low)}, 100 = ${formatNumber(version.reference.high)} (${version.reference.named})`,
    ],
    version.learned_by
      ? ["Learned by", formatPlural(version.learned_by, "run"), "Open these runs.", version.sha256]
      : ["Learned by", "no run yet"],
    ["Made", formatDate(version.created_at)],
  ]);
}

/** What the numbers of a version say about its quality. */
export function qualityOf(version: DatasetVersion): Fact[] {
  const { statistics, episodes, transitions } = version;
  if (!statistics) return [];
  const notFinite = Object.entries(statistics.not_finite).filter(([, count]) => count > 0);
  return facts([
    ["Return", returnText(statistics), "Mean over the episodes, ± their standard deviation."],
    [
      "Lowest, median, highest",
      statistics.return_median !== null &&
        [statistics.return_min, statistics.return_median, statistics.return_max]
          .map((value) => formatNumber(value, 4))
          .join(" · "),
    ],
    [
      "Length",
      statistics.length_mean !== null &&
        `${formatNumber(statistics.length_mean, 4)} steps (${formatCount(statistics.length_min)} to ${formatCount(statistics.length_max)})`,
    ],
    ["Terminated", shareText(statistics.terminated, episodes), "Episodes that the environment ended."],
    [
      "Truncated",
      shareText(statistics.truncated, episodes),
      "Episodes that were cut off, by a time limit or by the end of the file.",
    ],
    [
      "Duplicates",
      shareText(statistics.duplicates, episodes),
      "Episodes with the same actions and first observation as an earlier one.",
    ],
    [
      "NaN or infinite",
      notFinite.length === 0
        ? "none"
        : notFinite.map(([column, count]) => `${column}: ${formatCount(count)}`).join(", "),
      "Numbers that no learner can use, by column.",
    ],
    [
      "By a person",
      shareText(statistics.by_person, transitions),
      "Steps in which a person acted, not a policy.",
    ],
  ]);
}

/** A row of the comparison of versions: its title, and its text for each version. */
export interface ComparedRow {
  title: string;
  values: string[];
  isSame: boolean;
}

export function comparedRows(versions: readonly DatasetVersion[]): ComparedRow[] {
  const tables = versions.map(
    (version) =>
      new Map([...factsOf(version), ...qualityOf(version)].map(({ title, value }) => [title, value])),
  );
  const titles = [...new Set(tables.flatMap((table) => [...table.keys()]))];
  return titles.map((title) => {
    const values = tables.map((table) => table.get(title) ?? "–");
    return { title, values, isSame: new Set(values).size === 1 };
  });
}

/** Why an episode cannot be watched; null when it can. */
export function whyNotWatched(version: DatasetVersion, episode: { seed?: number | null }): string | null {
  if (!version.env_id) return "The dataset does not name its environment, so there is nothing to simulate.";
  return episode.seed === null || episode.seed === undefined || episode.seed < 0
    ? "Its seed is not known: the recorded actions cannot be simulated from the same first state, so there is no picture. Its numbers are complete, and learners use them as any others."
    : null;
}
