/** The actions of a checkpoint, for the menu of a row and of its own page. */
import { useNavigate } from "@tanstack/react-router";
import type { CheckpointItem } from "@/api/types";
import { downloadOf } from "@/entities/artifacts/queries";
import { usePatchCheckpoint } from "@/entities/checkpoints/use-checkpoint-actions";
import { checkpointName } from "@/entities/checkpoints/words";
import { useFineTune } from "@/entities/continuing/use-fine-tune";
import { testOf } from "@/entities/evaluations/test-run";
import { useEvaluate } from "@/entities/evaluations/use-evaluations";
import { useDownloadPackage } from "@/entities/hub/use-package";
import { useResume } from "@/entities/runs/use-resume";
import { startDownload } from "@/lib/download";
import { nameDialog } from "@/panels/name-model/dialog";
import { pushDialog } from "@/panels/push-dialog/dialog";
import type { MenuItem } from "@/ui/Menu";
import { marksDialog } from "./dialog";

const TEST_EPISODES = 10;

export function useCheckpointItems(item: CheckpointItem): MenuItem[] {
  const navigate = useNavigate();
  const patch = usePatchCheckpoint(item);
  const test = useTest(item);
  const resume = useResume(item.run_id);
  const download = useDownloadPackage();
  const fineTune = useFineTune();
  return [
    {
      title: "Open",
      icon: "right",
      run: () => void navigate({ to: "/models/$checkpointId", params: { checkpointId: item.id } }),
    },
    {
      title: "Open its run",
      icon: "up",
      run: () => void navigate({ to: "/runs/$runId", params: { runId: item.run_id } }),
    },
    { title: `Test with ${TEST_EPISODES} episodes`, icon: "play", reason: whyNotTest(item), run: test.start },
    {
      title: "Deploy: act live",
      icon: "eye",
      reason: whyNotTest(item),
      run: () => {
        const search = { env: item.env_id, run: item.run_id, checkpoint: item.id };
        void navigate({ to: "/play", search });
      },
    },
    {
      title: "Resume its run from here",
      icon: "play",
      run: () => resume.mutate({ checkpoint: item.id }),
    },
    { title: "Name it…", icon: "plus", run: () => nameDialog.set(item) },
    {
      title: "Fine-tune from here…",
      icon: "fork",
      reason: whyNotTest(item),
      run: () => fineTune(item.run_id, item.id),
    },
    { title: "Tags and note…", icon: "note", run: () => marksDialog.set(item) },
    {
      title: item.pinned ? "Unpin" : "Pin: never removed automatically",
      icon: "check",
      run: () =>
        patch.mutate({
          patch: { pinned: !item.pinned },
          done: item.pinned ? "Unpinned." : "Pinned: it is never removed automatically.",
        }),
    },
    {
      title: "Download package (zip)",
      icon: "download",
      reason: whyNotTest(item),
      run: () => download.mutate(item.id),
    },
    {
      title: "Push to the Hub…",
      icon: "up",
      reason: whyNotTest(item),
      run: () =>
        pushDialog.set({
          id: item.id,
          title: checkpointName(item),
          algorithm: item.algorithm,
          envId: item.env_id,
        }),
    },
    { title: "Download the file", icon: "download", run: () => startDownload(downloadOf(item)) },
  ];
}

export const whyNotTest = (item: Pick<CheckpointItem, "is_playable">): string | null =>
  item.is_playable ? null : "The lab cannot act with this checkpoint.";

/** Plays the checkpoint in the lab, where the episodes are seen. */
export function useTest(item: Pick<CheckpointItem, "id" | "run_id">) {
  const navigate = useNavigate();
  const evaluate = useEvaluate(
    item.run_id,
    (made) => void navigate({ to: "/", search: { run: item.run_id, evaluation: made.id } }),
  );
  return {
    isPending: evaluate.isPending,
    start: () => evaluate.mutate(testOf(TEST_EPISODES, false, item.id)),
  };
}
