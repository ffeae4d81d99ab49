/** Checkpoints of a run as a user sees them: which is the best, and what its return was measured by. Pure. */
import type { Artifact, Run } from "@/api/types";
import { formatCount, formatNumber, formatPlural } from "@/lib/format";

export interface CheckpointMark {
  /** Not the best one, whose file is replaced, if there is another with the same contents. */
  file: Artifact;
  isBest: boolean;
  isNewest: boolean;
}

const stepOf = (file: Artifact): number => file.timestep ?? 0;

/** One mark per contents, by step: the best checkpoint is a link to one of the others. */
export function marksOf(files: readonly Artifact[]): CheckpointMark[] {
  const found = files.filter(({ kind }) => kind === "checkpoint");
  const lasting = found.filter(({ role }) => role !== "best");
  const best = found.filter(({ role }) => role === "best").sort((a, b) => stepOf(b) - stepOf(a))[0];
  const twin = best && lasting.find((file) => isSame(file, best));
  const listed = best && !twin ? [...lasting, best] : lasting;
  const last = Math.max(...listed.map(stepOf));
  return listed
    .map((file) => ({
      file,
      isBest: best !== undefined && file === (twin ?? best),
      isNewest: stepOf(file) === last,
    }))
    .sort((a, b) => stepOf(a.file) - stepOf(b.file));
}

const isSame = (one: Artifact, other: Artifact): boolean =>
  one.sha256 && other.sha256 ? one.sha256 === other.sha256 : one.timestep === other.timestep;

/** "best by evaluation on 5 fixed seeds" */
export function bestBy(run: Run): string {
  const { config } = run;
  if (config.kind !== "train" || config.evaluate_every == null) return "best by training return";
  return `best by evaluation on ${formatPlural(config.evaluate_episodes ?? 5, "fixed seed")}`;
}

type Measured = Pick<Artifact, "score" | "score_episodes" | "evaluation">;

/** "213 by evaluation", or by training where nothing was evaluated; null when nothing was measured. */
export function shortReturn({ score, evaluation }: Measured): string | null {
  if (evaluation) return `${formatNumber(evaluation.mean)} by evaluation`;
  return score == null ? null : `${formatNumber(score)} by training`;
}

/** "return 213 (evaluation on 5 fixed seeds), 174 in training (mean of 100 episodes)" */
export function returnText({ score, score_episodes, evaluation }: Measured): string | null {
  const measured = [
    evaluation && `${formatNumber(evaluation.mean)} (${protocolText(evaluation)})`,
    score != null &&
      `${formatNumber(score)} in training${score_episodes ? ` (mean of ${formatPlural(score_episodes, "episode")})` : ""}`,
  ].filter(Boolean);
  return measured.length > 0 ? `return ${measured.join(", ")}` : null;
}

function protocolText({ protocol, episodes }: NonNullable<Artifact["evaluation"]>): string {
  if (protocol === "evaluate_every") return `evaluation on ${formatPlural(episodes ?? 0, "fixed seed")}`;
  return episodes == null ? "evaluation" : `evaluation over ${formatPlural(episodes, "episode")}`;
}

/** "Best (step 40,000, 213 by evaluation)" */
export function markTitle({ file, isBest, isNewest }: CheckpointMark): string {
  const step = `step ${formatCount(file.timestep)}`;
  const value = shortReturn(file);
  if (!isBest && !isNewest) return `Step ${formatCount(file.timestep)}${value ? ` (${value})` : ""}`;
  return `${isBest ? "Best" : "Newest"} (${value ? `${step}, ${value}` : step})`;
}

/** What TEST may play: the best and the newest, then the others, newest first, tagged ones with their tags. */
export function choicesOf(files: readonly Artifact[]): { id: string; title: string; isBest: boolean }[] {
  const marks = marksOf(files).reverse();
  const rank = ({ isBest, isNewest }: CheckpointMark) => (isBest ? 0 : isNewest ? 1 : 2);
  return [...marks]
    .sort((a, b) => rank(a) - rank(b))
    .map((mark) => ({
      id: mark.file.id,
      title: [markTitle(mark), ...(mark.file.tags ?? [])].join(" · "),
      isBest: mark.isBest,
    }));
}
