/** Asks before a resume drops steps, or makes the run differ from one that was not stopped. */
import { type Agreement, resumeDialog, useResume } from "@/entities/runs/use-resume";
import { useStore } from "@/lib/store";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";

const close = () => resumeDialog.set(null);
const WORDS = {
  rewind: { title: "Train these steps again?", agree: "Drop them and resume" },
  inexact: { title: "Resume although it is not exact?", agree: "Resume anyway" },
};

export default function ResumeDialog() {
  const asked = useStore(resumeDialog);
  return (
    <Dialog open={asked !== null} onOpenChange={close} title={asked ? WORDS[asked.field].title : ""}>
      {asked && <Question asked={asked} />}
    </Dialog>
  );
}

function Question({ asked }: { asked: Agreement }) {
  const resume = useResume(asked.runId);
  return (
    <div className="flex flex-col gap-4 p-5 text-sm">
      <p className="break-words">{asked.detail}</p>
      <p className="text-ink-2">
        {asked.field === "rewind"
          ? "Curves and episodes after that step are dropped; so are later checkpoints, except those that are pinned or have a name."
          : "What follows then differs from a run that was not stopped. The log says so."}
      </p>
      <div className="flex justify-end gap-3">
        <Button onClick={close}>Cancel</Button>
        <Button
          kind={asked.field === "rewind" ? "danger" : "primary"}
          disabled={resume.isPending}
          onClick={() => resume.mutate({ ...asked.choice, [asked.field]: true })}
        >
          {WORDS[asked.field].agree}
        </Button>
      </div>
    </div>
  );
}
