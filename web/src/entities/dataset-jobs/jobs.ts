/** Jobs on datasets: what one does, in words, and which dataset it is about. Pure. */
import type { Artifact, DatasetChoice, DatasetOperation, DatasetResult, Run } from "@/api/types";
import { readSpelled, type SpelledVersion, spell } from "@/entities/datasets/words";
import { isLive } from "@/entities/runs/status";

export function operationOf(run: Pick<Run, "config">): DatasetOperation | null {
  return run.config.kind === "dataset" ? run.config.operation : null;
}

export function resultOf(run: Pick<Run, "kind" | "summary">): DatasetResult | null {
  const result = run.summary.result as DatasetResult | null | undefined;
  return run.kind === "dataset" && result?.do ? result : null;
}

/** "Make lander-expert", "Export lander@v2 as Parquet". */
export function operationText(operation: DatasetOperation): string {
  switch (operation.do) {
    case "make":
      return `Make ${operation.name} from recorded episodes`;
    case "collect":
      return `Collect ${operation.name}`;
    case "import":
      return `Import ${operation.name}`;
    case "split":
      return `Split ${spell(operation.of)} into ${operation.name} and ${operation.rest}`;
    case "merge":
      return `Merge ${operation.of.map(spell).join(", ")} into ${operation.name}`;
    case "prune":
      return `Prune ${spell(operation.of)}`;
    case "check":
      return `Check the files of ${spell(operation.of)}`;
    case "verify":
      return `Verify ${spell(operation.of)}`;
    case "export":
      return `Export ${spell(operation.of)} as ${FORMAT_TITLES[operation.format].title}`;
  }
}

type ExportFormat = Extract<DatasetOperation, { do: "export" }>["format"];

export const FORMAT_TITLES: Record<ExportFormat, { title: string; about: string }> = {
  minari: { title: "Minari", about: "A Minari dataset (HDF5): lossless, seeds kept, as a zip." },
  parquet: {
    title: "Parquet, one row per step",
    about: "Observation, action, reward, next observation: for pandas.",
  },
  trajectories: { title: "Parquet, one row per episode", about: "Each episode as lists of its steps." },
  hdf5: { title: "HDF5", about: "Flat arrays as D4RL has them." },
  npz: { title: "NPZ", about: "Flat arrays for NumPy, as D4RL and OGBench have them." },
};

/** The names of the datasets that a job reads or writes. */
export function namesOf(operation: DatasetOperation): string[] {
  const made = "name" in operation ? [operation.name] : [];
  const rest = operation.do === "split" ? [operation.rest] : [];
  const of = "of" in operation ? [operation.of].flat().map(({ name }) => name) : [];
  return [...new Set([...made, ...rest, ...of])];
}

/** Jobs about one dataset, newest first; of every dataset without a name. */
export function jobsAbout(runs: readonly Run[], name?: string): Run[] {
  return runs.filter((run) => {
    const operation = operationOf(run);
    return operation !== null && (name === undefined || namesOf(operation).includes(name));
  });
}

const DAY_MS = 86_400_000;

/** Worth showing on the page: at work, or failed within a day and not dismissed. */
export function isShown(run: Run, dismissed: readonly string[], now = Date.now()): boolean {
  if (isLive(run)) return true;
  const isBad = run.status === "failed" || run.status === "lost";
  const endedAt = run.ended_at ? Date.parse(run.ended_at) : now;
  return isBad && !dismissed.includes(run.id) && now - endedAt < DAY_MS;
}

/** Changes when a job ends, and again when what it made has been put into place. */
export const endedJobs = (jobs: readonly Run[]): string =>
  jobs
    .filter((job) => !isLive(job))
    .map(({ id, updated_at }) => `${id} ${updated_at}`)
    .join();

/** The exports of a version, newest first. */
export function exportsOf(runs: readonly Run[], name: string, version: number): Run[] {
  return runs.filter((run) => {
    const operation = operationOf(run);
    return (
      operation?.do === "export" &&
      operation.of.name === name &&
      (operation.of.version ?? version) === version
    );
  });
}

/** The file that an export has written; its run has others, such as its configuration. */
export function exportedFile<File extends Pick<Artifact, "path">>(
  run: Pick<Run, "kind" | "summary">,
  files: readonly File[],
): File | undefined {
  const path = resultOf(run)?.artifact;
  return path ? files.find((file) => file.path === path) : undefined;
}

export interface RunDatasets {
  word: string;
  versions: SpelledVersion[];
}

/** What a training learned from; what a job made, or else what it is about. */
export function datasetsOfRun(run: Run): RunDatasets {
  if (run.config.kind === "train") {
    const { dataset, prefill } = run.config;
    return {
      word: prefill ? "replay buffer begun with" : "learned from",
      versions: dataset ? [versionOfChoice(dataset)] : [],
    };
  }
  const made = resultOf(run)?.versions ?? [];
  if (made.length > 0) return { word: "made", versions: made.map(readSpelled) };
  const operation = operationOf(run);
  const of = operation && "of" in operation ? [operation.of].flat() : [];
  return { word: "of", versions: of.map(versionOfChoice) };
}

const versionOfChoice = ({ name, version }: DatasetChoice): SpelledVersion => ({
  name,
  version: version ?? undefined,
});
