/** The tags and the note of a checkpoint of the table. */
import type { CheckpointItem } from "@/api/types";
import { usePatchCheckpoint } from "@/entities/checkpoints/use-checkpoint-actions";
import { checkpointName } from "@/entities/checkpoints/words";
import { useStore } from "@/lib/store";
import { LabelDialog } from "@/panels/checkpoints/LabelDialog";
import { marksDialog } from "./dialog";

export default function MarksDialog() {
  const item = useStore(marksDialog);
  return item && <Marks item={item} />;
}

function Marks({ item }: { item: CheckpointItem }) {
  const patch = usePatchCheckpoint(item);
  return (
    <LabelDialog
      open
      title={checkpointName(item)}
      tags={item.tags}
      note={item.note}
      onClose={() => marksDialog.set(null)}
      onSave={(labels) => patch.mutate({ patch: labels, done: "Tags and note saved." })}
    />
  );
}
