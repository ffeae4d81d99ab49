/** The saved views, and how one is saved or deleted. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { SavedView } from "@/api/types";
import { keys } from "@/entities/query-keys";
import { forget, recall } from "@/lib/remembered";
import { toast, toastProblem } from "@/ui/toasts";
import { deleteView, putView, viewsQuery } from "./queries";

export function useViews() {
  const client = useQueryClient();
  const query = useQuery(viewsQuery);
  const onSuccess = (views: SavedView[]) => client.setQueryData(keys.views, views);
  const put = useMutation({ mutationFn: putView, onSuccess, onError: toastProblem });
  const remove = useMutation({ mutationFn: deleteView, onSuccess, onError: toastProblem });
  useKeptByTheBrowser(query.data, put.mutateAsync);
  return {
    views: query.data ?? [],
    save: (view: SavedView) => put.mutate(view),
    remove: (view: SavedView) =>
      remove.mutate(view.name, {
        onSuccess: () => toast(`Deleted the view “${view.name}”.`, { undo: () => put.mutate(view) }),
      }),
  };
}

const KEPT = "runs.views";

/** Earlier versions kept the views in the browser: those that the lab does not have are handed over once. */
function useKeptByTheBrowser(
  known: readonly SavedView[] | undefined,
  put: (view: SavedView) => Promise<unknown>,
): void {
  const isDone = useRef(false);
  useEffect(() => {
    if (known === undefined || isDone.current) return;
    isDone.current = true;
    const kept = recall<SavedView[]>(KEPT, []);
    if (!Array.isArray(kept) || kept.length === 0) return;
    const names = new Set(known.map((view) => view.name));
    const missing = kept.filter((view) => !names.has(view.name));
    Promise.all(missing.map(put)).then(
      () => forget(KEPT),
      () => undefined, // said already; they stay in the browser and are offered again
    );
  }, [known, put]);
}
