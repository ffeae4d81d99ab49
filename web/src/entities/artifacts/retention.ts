/** Files of a run by kind, and how many of each are kept. Pure. */
import type { Artifact, Kept } from "@/api/types";

export interface KindOf {
  kind: string;
  title: string;
  items: Artifact[];
  size: number;
  /** "2 of 5 videos kept (at most 3)". */
  rule: string | null;
}

const TITLES: Record<string, string> = {
  checkpoint: "Checkpoints",
  model: "Models",
  video: "Videos",
  clip: "Clips",
  film: "Films",
  image: "Pictures",
  tensorboard: "TensorBoard folders",
  wandb: "Weights & Biases",
  summary: "Summaries",
  report: "Reports",
  certificate: "Certificates",
  config: "Configuration",
  metrics: "Metrics",
  log: "Logs",
  recording: "Recordings",
  file: "Other files",
};
/** The limit counts only these: the best and the final checkpoint are always kept. */
const COUNTED: Record<string, string> = { checkpoint: "interval checkpoints" };
const ORDER = Object.keys(TITLES);

/** How many of each kind are kept. */
export type KeptByKind = Partial<Record<string, Kept>>;

export function byKind(artifacts: readonly Artifact[], kept: KeptByKind): KindOf[] {
  const kinds = new Map<string, Artifact[]>();
  for (const artifact of artifacts) kinds.set(artifact.kind, [...(kinds.get(artifact.kind) ?? []), artifact]);
  const rank = (kind: string) => (ORDER.includes(kind) ? ORDER.indexOf(kind) : ORDER.length);
  return [...kinds]
    .sort(([a], [b]) => rank(a) - rank(b))
    .map(([kind, items]) => ({
      kind,
      title: TITLES[kind] ?? kind,
      items,
      size: sizeOf(items),
      rule: keptWords(kept[kind], COUNTED[kind] ?? TITLES[kind]?.toLowerCase() ?? kind),
    }));
}

export const sizeOf = (artifacts: readonly Artifact[]): number =>
  artifacts.reduce((sum, artifact) => sum + artifact.size, 0);

/** "2 of 5 videos kept (at most 3)": two of the five videos ever made still exist, because of the limit. */
export function keptWords(kept: Kept | undefined, what: string): string | null {
  return kept ? `${kept.kept} of ${kept.made} ${what} kept (at most ${kept.limit})` : null;
}
