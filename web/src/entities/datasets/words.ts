/** How a dataset, its versions and its spaces are written on the page. Pure. */
import type { Dataset, DatasetVersion } from "@/api/types";
import { formatCount, formatNumber, formatPercent, formatPlural, NOTHING } from "@/lib/format";

/** "lander-expert@v2", as the command line writes it. */
export const spell = ({ name, version }: { name: string; version?: number | null }): string =>
  version == null ? name : `${name}@v${version}`;

export interface SpelledVersion {
  name: string;
  version: number | undefined;
}

/** The name and version of "lander-expert@v2". */
export function readSpelled(text: string): SpelledVersion {
  const [name = "", version] = text.split("@v");
  return { name, version: version && /^\d+$/.test(version) ? Number(version) : undefined };
}

export const newestOf = (dataset: Pick<Dataset, "versions">): DatasetVersion | undefined =>
  dataset.versions[0];

/** The version of the address; the newest when the address names none. */
export const versionOf = (
  dataset: Pick<Dataset, "versions">,
  number: number | undefined,
): DatasetVersion | undefined =>
  number === undefined ? newestOf(dataset) : dataset.versions.find(({ version }) => version === number);

/** "212 ± 30"; the mean alone where there is one episode. */
export function returnText(statistics: DatasetVersion["statistics"] | undefined): string {
  if (statistics?.return_mean == null) return NOTHING;
  const mean = formatNumber(statistics.return_mean, 4);
  return statistics.return_std ? `${mean} ± ${formatNumber(statistics.return_std)}` : mean;
}

export interface Verdict {
  word: string;
  tone: "plain" | "good" | "warn";
  meaning: string;
}

const INTEGRITY: Record<DatasetVersion["integrity"], Verdict> = {
  unchecked: {
    word: "not checked",
    tone: "plain",
    meaning: "The files have not been compared with their checksums yet.",
  },
  intact: {
    word: "intact",
    tone: "good",
    meaning: "Every file has the checksum it was written with, and the shape that the description names.",
  },
  damaged: {
    word: "damaged",
    tone: "warn",
    meaning: "A file is not what was written. Import or make the dataset again.",
  },
  missing: {
    word: "files missing",
    tone: "warn",
    meaning: "A file is gone. Import or make the dataset again.",
  },
};

export function integrityOf({ integrity, integrity_message }: DatasetVersion): Verdict {
  const verdict = INTEGRITY[integrity];
  return integrity_message && verdict.tone === "warn"
    ? { ...verdict, meaning: `${integrity_message} ${verdict.meaning}` }
    : verdict;
}

export function verificationOf({ verification }: Pick<DatasetVersion, "verification">): Verdict {
  if (!verification)
    return {
      word: "not verified",
      tone: "plain",
      meaning: "No episode has been re-simulated from its seed and actions yet.",
    };
  const { outcome, checked, unseeded, message } = verification;
  const left = unseeded > 0 ? ` ${formatPlural(unseeded, "episode")} without a known seed cannot be.` : "";
  if (outcome === "identical")
    return {
      word: "verified",
      tone: "good",
      meaning: `${formatPlural(checked, "episode")} re-simulated: every step is identical.${left}`,
    };
  if (outcome === "different")
    return {
      word: "differs",
      tone: "warn",
      meaning: message || "An episode, simulated again, took another course.",
    };
  return {
    word: "cannot be verified",
    tone: "plain",
    meaning: message || `No episode could be re-simulated.${left}`,
  };
}

/** As the worker writes it; null where a number has no bound. */
type Space = Record<string, unknown>;

/** A space in words: "8 numbers from −1 to 1", "one of 4", "84 × 84 × 3 numbers from 0 to 255". */
export function spaceText(space: Space): string {
  switch (space.type) {
    case "Discrete":
      return `one of ${formatCount(Number(space.n))}`;
    case "MultiDiscrete":
      return `one of ${numbersOf(space.nvec).map(formatCount).join(" × ")}`;
    case "MultiBinary":
      return `${sizeText(space, "switch", "switches")}, on or off`;
    case "Box":
      return `${sizeText(space, "number")}${boundsText(space)}`;
    case "Dict":
    case "Tuple":
      return Object.entries(space.spaces as Record<string, Space>)
        .map(([name, part]) => `${name}: ${spaceText(part)}`)
        .join("; ");
    default:
      return String(space.type ?? "unknown");
  }
}

const numbersOf = (value: unknown): number[] => [value].flat(8).map(Number);

function sizeText({ shape }: Space, one: string, many = `${one}s`): string {
  const sizes = numbersOf(shape ?? []);
  return sizes.length <= 1 ? formatPlural(sizes[0] ?? 1, one, many) : `${sizes.join(" × ")} ${many}`;
}

/** The lowest and the highest bound; nothing where a number has none. */
function boundsText({ low, high }: Space): string {
  const all = [low, high].flat(8);
  if (all.some((bound) => bound === null || bound === undefined)) return "";
  const [least, most] = [Math.min(...numbersOf(low)), Math.max(...numbersOf(high))];
  return ` from ${formatNumber(least)} to ${formatNumber(most)}`;
}

/** "3 of 10,000 (0.03 %)". */
export function shareText(part: number, all: number): string {
  if (part === 0 || all === 0) return formatCount(part);
  return `${formatCount(part)} of ${formatCount(all)} (${formatPercent(part / all, part / all < 0.01 ? 2 : 0)})`;
}
