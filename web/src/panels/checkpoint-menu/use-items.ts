/** The actions of a checkpoint, the same ones in the same words wherever a checkpoint is shown. */
import { useNavigate } from "@tanstack/react-router";
import type { NewEvaluation, Run } from "@/api/types";
import { downloadOf } from "@/entities/artifacts/queries";
import { addressOfCheckpoint, type CheckpointSubject } from "@/entities/checkpoints/subject";
import { usePatchCheckpoint } from "@/entities/checkpoints/use-checkpoint-actions";
import { checkpointName, placeText } from "@/entities/checkpoints/words";
import { useFineTune } from "@/entities/continuing/use-fine-tune";
import { TEST, testOf } from "@/entities/evaluations/test-run";
import { useEvaluate } from "@/entities/evaluations/use-evaluations";
import { useDownloadPackage } from "@/entities/hub/use-package";
import { useResume } from "@/entities/runs/use-resume";
import { startDownload } from "@/lib/download";
import { nameDialog } from "@/panels/name-model/dialog";
import { pushDialog } from "@/panels/push-dialog/dialog";
import { copyText } from "@/ui/clipboard";
import type { MenuItem } from "@/ui/Menu";
import { toast } from "@/ui/toasts";
import { deleteDialog, marksDialog } from "./dialog";

/** Enough for an interval around the mean. */
const EVALUATION_EPISODES = 20;

export interface CheckpointActions {
  /** Where it is shown already, there is no item that opens it. */
  shown?: "checkpoint" | "run";
  /** An evaluation that was started here; otherwise it is opened in the lab. */
  onTested?: (evaluation: Run) => void;
  /** Actions that only this place has; they come before the deletion. */
  more?: MenuItem[];
}

export function useCheckpointItems(subject: CheckpointSubject, actions: CheckpointActions = {}): MenuItem[] {
  const { shown, onTested, more = [] } = actions;
  const pages = usePageItems(subject);
  return [
    ...pages.filter(({ key }) => key !== shown),
    ...usePlayItems(subject, onTested),
    ...useTrainingItems(subject),
    ...useKeepingItems(subject),
    ...useSharingItems(subject),
    ...more,
    { title: "Delete…", icon: "close", danger: true, run: () => deleteDialog.set(subject) },
  ];
}

function usePageItems({ id, run_id }: CheckpointSubject): MenuItem[] {
  const navigate = useNavigate();
  return [
    {
      key: "checkpoint",
      title: "Open",
      icon: "right",
      run: () => void navigate({ to: "/models/$checkpointId", params: { checkpointId: id } }),
    },
    {
      key: "run",
      title: "Open its run",
      icon: "up",
      run: () => void navigate({ to: "/runs/$runId", params: { runId: run_id } }),
    },
  ];
}

function usePlayItems(subject: CheckpointSubject, onTested?: (evaluation: Run) => void): MenuItem[] {
  const navigate = useNavigate();
  const test = useTest(subject, onTested);
  const { id, run_id, env_id, whyNotPlay: reason } = subject;
  return [
    { title: `Test it: ${TEST.episodes} episodes`, icon: "check", reason, run: () => test.start() },
    {
      title: `Evaluate it: ${EVALUATION_EPISODES} episodes, fresh seeds`,
      icon: "play",
      reason,
      run: () => test.start(testOf(EVALUATION_EPISODES, true, id)),
    },
    {
      title: "Deploy: act live",
      icon: "eye",
      reason,
      run: () => void navigate({ to: "/play", search: { env: env_id, run: run_id, checkpoint: id } }),
    },
  ];
}

function useTrainingItems({ id, run_id, whyNotPlay, whyNotResume }: CheckpointSubject): MenuItem[] {
  const resume = useResume(run_id);
  const fineTune = useFineTune();
  return [
    {
      title: "Resume its run from here…",
      icon: "reset",
      reason: whyNotResume,
      run: () => resume.mutate({ checkpoint: id }),
    },
    { title: "Fine-tune from here…", icon: "fork", reason: whyNotPlay, run: () => fineTune(run_id, id) },
  ];
}

function useKeepingItems(subject: CheckpointSubject): MenuItem[] {
  const patch = usePatchCheckpoint(subject);
  const { pinned } = subject;
  return [
    { title: "Name it…", icon: "plus", run: () => nameDialog.set(subject) },
    { title: "Tags and note…", icon: "note", run: () => marksDialog.set(subject) },
    {
      title: pinned ? "Unpin" : "Pin: never removed automatically",
      icon: "check",
      run: () => {
        const done = pinned ? "Unpinned." : "Pinned: it is never removed automatically.";
        patch.mutate({ patch: { pinned: !pinned }, done });
      },
    },
  ];
}

function useSharingItems(subject: CheckpointSubject): MenuItem[] {
  const download = useDownloadPackage();
  const { id, algorithm, env_id: envId, whyNotPlay: reason } = subject;
  const address = addressOfCheckpoint(subject);
  const pushed = { id, title: checkpointName(subject), algorithm, envId };
  return [
    { title: "Download the file", icon: "download", run: () => startDownload(downloadOf(subject)) },
    { title: "Download package (zip)", icon: "download", reason, run: () => download.mutate(id) },
    { title: "Push to the Hub…", icon: "up", reason, run: () => pushDialog.set(pushed) },
    {
      title: `Copy ${address}`,
      icon: "copy",
      run: () => void copyText(address, `${address} is copied: rl-lab evaluate takes it.`),
    },
  ];
}

/** Plays the checkpoint and shows the episodes: in the lab, unless the caller shows them. */
export function useTest(
  subject: Pick<CheckpointSubject, "id" | "run_id" | "timestep" | "role">,
  onTested?: (evaluation: Run) => void,
) {
  const navigate = useNavigate();
  const { id, run_id } = subject;
  const evaluate = useEvaluate(run_id, (made) => {
    const episodes = made.config.kind === "evaluate" ? `: ${made.config.episodes} episodes` : "";
    toast(`Evaluation of ${placeText(subject)} started${episodes}.`);
    if (onTested) onTested(made);
    else void navigate({ to: "/", search: { run: run_id, evaluation: made.id } });
  });
  return {
    isPending: evaluate.isPending,
    start: (wanted: NewEvaluation = { ...TEST, checkpoint: id }) => evaluate.mutate(wanted),
  };
}
