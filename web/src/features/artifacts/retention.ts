/** Files of a run by kind, and how many of each are kept. Pure. */
import type { Artifact } from "@/api/types";

export interface KindOf {
  kind: string;
  title: string;
  items: Artifact[];
  size: number;
  /** What happens to the older ones, in words. */
  rule: string | null;
}

const TITLES: Record<string, string> = {
  checkpoint: "Checkpoints",
  model: "Models",
  video: "Evaluation videos",
  clip: "Clips",
  film: "Films",
  summary: "Summaries",
  report: "Reports",
  config: "Configuration",
  metrics: "Metrics",
  log: "Logs",
  recording: "Recordings",
  file: "Other files",
};
const ORDER = Object.keys(TITLES);

export interface Limits {
  checkpoints_kept?: number;
  evaluation_videos_kept?: number;
}

export function byKind(artifacts: readonly Artifact[], limits: Limits): KindOf[] {
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
      rule: ruleOf(kind, items, limits),
    }));
}

export const sizeOf = (artifacts: readonly Artifact[]): number =>
  artifacts.reduce((sum, artifact) => sum + artifact.size, 0);

function ruleOf(kind: string, items: readonly Artifact[], limits: Limits): string | null {
  if (kind === "checkpoint" && limits.checkpoints_kept !== undefined) {
    const interval = items.filter((item) => (item.role ?? "interval") === "interval").length;
    return `${interval} of at most ${limits.checkpoints_kept} at intervals, besides best and final`;
  }
  if (kind === "video" && limits.evaluation_videos_kept !== undefined)
    return `${items.length} of at most ${limits.evaluation_videos_kept}; older ones make room`;
  return null;
}
