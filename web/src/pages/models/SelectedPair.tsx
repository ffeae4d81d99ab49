/** Over the table while rows are selected: compare two, name one. */
import type { CheckpointItem } from "@/api/types";
import { whyNotCompare } from "@/entities/checkpoints/words";
import { formatCount } from "@/lib/format";
import { nameDialog } from "@/panels/name-model/dialog";
import { Button, IconButton } from "@/ui/Button";

export interface SelectedPairProps {
  chosen: readonly CheckpointItem[];
  onDone: () => void;
  onCompare: (a: CheckpointItem, b: CheckpointItem) => void;
}

export function SelectedPair({ chosen, onDone, onCompare }: SelectedPairProps) {
  const [a, b] = chosen;
  if (!a) return null;
  return (
    <section
      aria-label="Selected checkpoints"
      className="absolute bottom-4 left-1/2 z-20 flex w-max max-w-[calc(100%-1rem)] -translate-x-1/2 flex-wrap items-center justify-center gap-2 rounded-md border border-line-strong bg-surface px-3 py-2 shadow-pop"
    >
      <span role="status" className="figures text-xs whitespace-nowrap text-ink-2">
        {`${formatCount(chosen.length)} selected`}
      </span>
      <Button small icon="chart" reason={whyNotCompare(chosen)} onClick={() => b && onCompare(a, b)}>
        Compare
      </Button>
      {!b && (
        <Button small icon="plus" onClick={() => nameDialog.set(a)}>
          Name it…
        </Button>
      )}
      <IconButton icon="close" label="Clear the selection" onClick={onDone} />
    </section>
  );
}
