/** What can be done with one checkpoint, from its button in a list or on the timeline. */
import { type ReactNode, useState } from "react";
import type { Artifact, Run } from "@/api/types";
import { downloadOf } from "@/entities/artifacts/queries";
import { useArtifactActions } from "@/entities/artifacts/use-artifact-actions";
import { useFineTune } from "@/entities/continuing/use-fine-tune";
import { testOf, whyNotTest } from "@/entities/evaluations/test-run";
import { useEvaluate } from "@/entities/evaluations/use-evaluations";
import { isOver } from "@/entities/runs/status";
import { useResume } from "@/entities/runs/use-resume";
import { startDownload } from "@/lib/download";
import { formatCount } from "@/lib/format";
import { copyText } from "@/ui/clipboard";
import { Menu, type MenuItem } from "@/ui/Menu";
import { toast } from "@/ui/toasts";
import { LabelDialog } from "./LabelDialog";

export interface CheckpointMenuProps {
  run: Run;
  file: Artifact;
  trigger: ReactNode;
  /** What the checkpoint is, where the menu covers it. */
  heading?: string;
  /** The evaluation that was asked for here is under way. */
  onTested: (evaluation: Run) => void;
}

export function CheckpointMenu({ run, file, trigger, heading, onTested }: CheckpointMenuProps) {
  const [isLabelled, setIsLabelled] = useState(false);
  const resume = useResume(run.id);
  const { label } = useArtifactActions(file);
  const items = useItems(run, file, onTested);
  return (
    <>
      <Menu
        trigger={trigger}
        heading={heading}
        items={[
          ...items,
          ...(isOver(run) && run.allowed.includes("resume")
            ? [
                {
                  title: "Resume from here…",
                  icon: "play" as const,
                  run: () => resume.mutate({ checkpoint: file.id }),
                },
              ]
            : []),
          { title: "Tags and note…", icon: "settings", run: () => setIsLabelled(true) },
        ]}
      />
      <LabelDialog
        title={`step ${formatCount(file.timestep)}`}
        open={isLabelled}
        tags={file.tags ?? []}
        note={file.note ?? ""}
        onClose={() => setIsLabelled(false)}
        onSave={label}
      />
    </>
  );
}

function useItems(run: Run, file: Artifact, onTested: (evaluation: Run) => void): MenuItem[] {
  const { togglePin } = useArtifactActions(file);
  const test = useEvaluate(run.id, (made) => {
    toast(`Evaluation of step ${formatCount(file.timestep)} started.`);
    onTested(made);
  });
  const fineTune = useFineTune();
  const reason = whyNotTest(run, false);
  const name = `${run.id}@${file.timestep ?? file.id}`;
  return [
    {
      title: "Test it: 5 episodes",
      icon: "check",
      reason,
      run: () => test.mutate(testOf(5, false, file.id)),
    },
    {
      title: "Evaluate it: 20 episodes, fresh seeds",
      icon: "play",
      reason,
      run: () => test.mutate(testOf(20, true, file.id)),
    },
    { title: "Fine-tune from here", icon: "play", reason, run: () => fineTune(run.id, file.id) },
    { title: file.pinned ? "Unpin" : "Pin: never removed automatically", icon: "check", run: togglePin },
    { title: "Download", icon: "download", run: () => startDownload(downloadOf(file)) },
    {
      title: `Copy ${name}`,
      icon: "copy",
      run: () => void copyText(name, `${name} is copied: rl-lab evaluate takes it.`),
    },
  ];
}
