/** What changes alerts. Errors of the form are shown by the caller. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Alert, NewAlert } from "@/api/types";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { toast, toastProblem } from "@/ui/toasts";
import { changeAlert, deleteAlert, saveAlert, testAlert } from "./queries";
import { deliveryText } from "./words";

const shownByCaller = () => undefined;

/** Of a new alert, or of the one with this id. */
export function useSaveAlert(id: string | null, onSaved: (saved: Alert) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ is_active, ...changed }: NewAlert) =>
      id === null ? saveAlert({ ...changed, is_active }) : changeAlert(id, changed),
    async onSuccess(saved) {
      await refresh(client, keys.alerts, keys.alertFirings);
      toast(`Alert saved: ${saved.condition}.`);
      onSaved(saved);
    },
    onError: shownByCaller,
  });
}

export function useSwitchAlert() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, isActive }: { id: string; isActive: boolean }) =>
      changeAlert(id, { is_active: isActive, command_approved: false }),
    onSuccess: () => refresh(client, keys.alerts),
    onError: toastProblem,
  });
}

export function useDeleteAlert() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: deleteAlert,
    async onSuccess({ name, rule, is_active }) {
      // Its command was approved when it was saved.
      const body = { name, rule, is_active, command_approved: true };
      const restore = () =>
        void saveAlert(body)
          .then(() => refresh(client, keys.alerts))
          .catch(toastProblem);
      toast(`Deleted the alert “${name}”.`, { undo: restore });
      await refresh(client, keys.alerts, keys.alertFirings);
    },
    onError: toastProblem,
  });
}

export function useTestAlert() {
  return useMutation({
    mutationFn: testAlert,
    onSuccess({ deliveries = {} }) {
      const found = Object.entries(deliveries);
      const text = found.map(([action, delivery]) => `${action}: ${delivery ? deliveryText(delivery) : ""}`);
      const isBad = found.some(([, delivery]) => delivery?.state === "failed");
      toast(text.join(" · ") || "It has no command and no webhook.", { tone: isBad ? "warn" : "plain" });
    },
    onError: toastProblem,
  });
}
