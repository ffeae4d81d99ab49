/** The tags and the note of a checkpoint. What was typed stays until it is saved. */
import type { CheckpointSubject } from "@/entities/checkpoints/subject";
import { usePatchCheckpoint } from "@/entities/checkpoints/use-checkpoint-actions";
import { checkpointName } from "@/entities/checkpoints/words";
import { useStore } from "@/lib/store";
import { Dialog } from "@/ui/Dialog";
import { ProblemNote } from "@/ui/states";
import { marksDialog } from "./dialog";
import { MarksForm } from "./MarksForm";

const close = () => marksDialog.set(null);

export default function MarksDialog() {
  const subject = useStore(marksDialog);
  return subject && <Marks subject={subject} />;
}

function Marks({ subject }: { subject: CheckpointSubject }) {
  const patch = usePatchCheckpoint(subject, () => undefined);
  return (
    <Dialog open onOpenChange={close} title="Tags and note">
      <MarksForm
        title={checkpointName(subject)}
        tags={subject.tags}
        note={subject.note}
        isBusy={patch.isPending}
        problem={<ProblemNote error={patch.error} />}
        onClose={close}
        onSave={(marks) => patch.mutate({ patch: marks, done: "Tags and note saved." }, { onSuccess: close })}
      />
    </Dialog>
  );
}
