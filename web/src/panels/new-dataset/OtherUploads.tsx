/** What was sent before and is not imported yet: it can be taken, resumed by choosing it again, or discarded. */
import type { DatasetUpload } from "@/api/types";
import { formatBytes, formatPercent } from "@/lib/format";
import { Button } from "@/ui/Button";

export const arrivedText = (received: number, size: number): string =>
  `${formatBytes(received)} of ${formatBytes(size)}, ${formatPercent(received / Math.max(1, size))}`;

export interface OtherUploadsProps {
  uploads: readonly DatasetUpload[];
  onTake: (upload: DatasetUpload) => void;
  onDiscard: (id: string) => void;
}

export function OtherUploads({ uploads, onTake, onDiscard }: OtherUploadsProps) {
  if (uploads.length === 0) return null;
  return (
    <ul aria-label="Files sent before" className="flex flex-col gap-1 border-t pt-2">
      {uploads.map((one) => {
        const isWhole = one.received === one.size;
        return (
          <li key={one.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-ink-2">
            <span className="min-w-0 flex-1 break-words">
              <span className="text-ink">{one.name}</span>
              {isWhole
                ? `: ${formatBytes(one.size)}, not imported yet.`
                : `: ${arrivedText(one.received, one.size)} have arrived. Choose it again to resume.`}
            </span>
            {isWhole && (
              <Button small onClick={() => onTake(one)}>
                Use it
              </Button>
            )}
            <Button small kind="quiet" onClick={() => onDiscard(one.id)}>
              Discard
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
