/** Where a checkpoint is on its timeline, and what is said about it. Pure. */
import type { Range } from "@/charts/plot";
import { type CheckpointMark, returnText } from "@/entities/artifacts/checkpoints";
import { formatBytes, formatCount } from "@/lib/format";

/** From 0 to 1; null outside the shown steps. */
export function placeOf(step: number | null | undefined, [from, to]: Range): number | null {
  if (step == null || to <= from || step < from || step > to) return null;
  return (step - from) / (to - from);
}

/** "Step 40,000 · best by training return · return 213 (…) · 1.2 MB · pinned · tags good · lands softly" */
export function markText({ file, isBest, isNewest }: CheckpointMark, bestBy: string): string {
  return [
    `Step ${formatCount(file.timestep)}`,
    isBest && bestBy,
    isNewest && "newest",
    returnText(file),
    formatBytes(file.size),
    file.pinned && "pinned",
    (file.tags ?? []).length > 0 && `tags ${file.tags!.join(", ")}`,
    file.note,
  ]
    .filter(Boolean)
    .join(" · ");
}
