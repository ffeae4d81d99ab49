/** What changes studies: create, move, rename, delete with undo, more seeds, a confirmation. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { NewStudy, Study, StudyPatch } from "@/api/types";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { formatPlural } from "@/lib/format";
import { toast, toastProblem } from "@/ui/toasts";
import { keepStudy } from "./live-studies";
import {
  addSeeds,
  confirmVariant,
  createStudy,
  deleteStudy,
  moveStudy,
  patchStudy,
  restoreStudy,
  type StudyMove,
} from "./queries";

/** Errors are shown by the caller, at the fields. */
export function useCreateStudy(onCreated: (study: Study) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (wanted: NewStudy) => createStudy(wanted),
    onSuccess(study) {
      void refresh(client, keys.studies, keys.runs);
      onCreated(study);
    },
  });
}

export function useMoveStudy(studyId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (move: StudyMove) => moveStudy(studyId, move),
    onSuccess: (study) => keepStudy(client, study),
    onError: toastProblem,
  });
}

export function usePatchStudy(studyId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (patch: StudyPatch) => patchStudy(studyId, patch),
    onSuccess: (study) => keepStudy(client, study),
    onError: toastProblem,
  });
}

export function useDeleteStudy(onDeleted: () => void) {
  const client = useQueryClient();
  const lists = () => refresh(client, keys.studies, keys.runs);
  const restore = async (study: Study) => {
    try {
      await restoreStudy(study.id);
    } catch (error) {
      toastProblem(error);
    }
    await lists();
  };
  return useMutation({
    mutationFn: (study: Study) => deleteStudy(study.id),
    onSuccess(_, study) {
      onDeleted();
      void lists();
      const runs = formatPlural(study.counts.runs, "run");
      toast(`Deleted “${study.name}” with ${runs}.`, { undo: () => void restore(study) });
    },
    onError: toastProblem,
  });
}

export function useAddSeeds(studyId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ count, variants }: { count: number; variants: number[] | null }) =>
      addSeeds(studyId, count, variants),
    onSuccess(study, { count }) {
      keepStudy(client, study);
      void refresh(client, keys.studyParts(studyId));
      toast(`${formatPlural(count, "seed")} added; their runs are in the queue.`);
    },
    onError: toastProblem,
  });
}

export function useConfirm(studyId: string, onStarted: (study: Study) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ variant, seeds }: { variant: number; seeds: number }) =>
      confirmVariant(studyId, variant, seeds),
    onSuccess(study) {
      void refresh(client, keys.studies);
      onStarted(study);
    },
    onError: toastProblem,
  });
}
