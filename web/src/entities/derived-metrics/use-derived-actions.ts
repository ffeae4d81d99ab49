/** What changes derived metrics: charts and the table of runs show them, so both are fetched again. */
import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import type { DerivedMetric, NewDerivedMetric } from "@/api/types";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { toast, toastProblem } from "@/ui/toasts";
import { changeDerivedMetric, deleteDerivedMetric, saveDerivedMetric } from "./queries";

const shownByCaller = () => undefined;

const refreshAll = (client: QueryClient) =>
  refresh(client, keys.derivedMetrics, keys.metricsFamily, keys.runs);

/** Saves a new one, or changes the one of this name. */
export function useSaveDerived(isNew: boolean, onSaved: (saved: DerivedMetric) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ name, ...fields }: NewDerivedMetric) =>
      isNew ? saveDerivedMetric({ name, ...fields }) : changeDerivedMetric(name, fields),
    async onSuccess(saved) {
      await refreshAll(client);
      toast(`Saved ${saved.name}.`);
      onSaved(saved);
    },
    onError: shownByCaller,
  });
}

export function useDeleteDerived(onDeleted: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: deleteDerivedMetric,
    async onSuccess({ name, expression, note }) {
      onDeleted();
      const restore = () =>
        void saveDerivedMetric({ name, expression, note: note ?? "" })
          .then(() => refreshAll(client))
          .catch(toastProblem);
      toast(`Deleted ${name}.`, { undo: restore });
      await refreshAll(client);
    },
    onError: shownByCaller,
  });
}
