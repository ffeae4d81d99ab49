/** Where a checkpoint is on its timeline, and what is said about it. Pure. */
import type { Range } from "@/charts/plot";
import { type CheckpointMark, returnText } from "@/entities/artifacts/checkpoints";
import { formatBytes, formatCount } from "@/lib/format";

/**
 * From 0 to 1; null outside the shown steps. A chart that shows the whole run ends with the last episode that ended:
 * a checkpoint after it is at the end.
 */
export function placeOf(step: number | null | undefined, [from, to]: Range, isWhole: boolean): number | null {
  if (step == null || to <= from) return null;
  const place = (step - from) / (to - from);
  if (isWhole) return Math.min(1, Math.max(0, place));
  return place < 0 || place > 1 ? null : place;
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
