/** The keys of an environment: read, saved by the user, and set back to its own. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { keys } from "@/entities/query-keys";
import { toast } from "@/ui/toasts";
import type { Controls } from "./controls";
import { resetControls, saveControls } from "./queries";

/** Null resets them. */
export function useSaveControls(envId: string, onSaved: (controls: Controls) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (controls: Controls | null) =>
      controls ? saveControls(envId, controls) : resetControls(envId),
    onSuccess(saved, wanted) {
      client.setQueryData(keys.controls(envId), saved);
      toast(wanted ? `The controls of ${envId} are saved.` : `${envId} has its own controls again.`);
      onSaved(saved);
    },
    // The dialog shows what is wrong.
    onError: () => {},
  });
}
