/** All alerts: their condition, the runs they watch, their actions. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Alert } from "@/api/types";
import { alertsQuery } from "@/entities/alerts/queries";
import { useDeleteAlert, useSwitchAlert, useTestAlert } from "@/entities/alerts/use-alert-actions";
import { actionsText, scopeText } from "@/entities/alerts/words";
import { formatPlural } from "@/lib/format";
import { AlertDialog } from "@/panels/alert-form/AlertDialog";
import { type AlertDraft, draftOf, NEW_ALERT } from "@/panels/alert-form/alert-draft";
import { Button, IconButton } from "@/ui/Button";
import { Switch } from "@/ui/Switch";
import { ErrorState, Loading } from "@/ui/states";

export function AlertsList() {
  const alerts = useQuery(alertsQuery);
  const [draft, setDraft] = useState<AlertDraft | null>(null);
  return (
    <section aria-labelledby="alerts" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <h2 id="alerts" className="heading">
            Alerts
          </h2>
          <p className="max-w-3xl text-sm text-ink-2">
            An alert fires when a metric of a run does something, or a run ends; once per run.
          </p>
        </div>
        <Button icon="plus" onClick={() => setDraft(NEW_ALERT)}>
          New alert
        </Button>
      </div>
      {alerts.isPending && <Loading lines={2} />}
      {alerts.isError && <ErrorState error={alerts.error} onRetry={() => void alerts.refetch()} />}
      {alerts.isSuccess && alerts.data.length > 0 && (
        <ul aria-label="Alerts" className="flex flex-col rounded-md border bg-surface">
          {alerts.data.map((one) => (
            <AlertRow key={one.id} alert={one} onEdit={() => setDraft(draftOf(one))} />
          ))}
        </ul>
      )}
      <AlertDialog draft={draft} onClose={() => setDraft(null)} />
    </section>
  );
}

function AlertRow({ alert, onEdit }: { alert: Alert; onEdit: () => void }) {
  const toggle = useSwitchAlert();
  const remove = useDeleteAlert();
  const test = useTestAlert();
  const actions = actionsText(alert.rule);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 border-b px-4 py-3 last:border-0">
      <div className="min-w-0 flex-1 max-sm:basis-full">
        <p className="font-medium wrap-anywhere">{alert.name}</p>
        <p className="text-xs wrap-anywhere text-ink-2">
          {[
            ...(alert.name === alert.condition ? [] : [`when ${alert.condition}`]),
            scopeText(alert.rule),
            `fired for ${formatPlural(alert.firings ?? 0, "run")}`,
          ].join(" · ")}
        </p>
        {actions && <p className="font-mono text-xs wrap-anywhere text-ink-3">{actions}</p>}
      </div>
      <div className="flex items-center gap-2">
        {actions && (
          <Button small disabled={test.isPending} onClick={() => test.mutate(alert.id)}>
            Try
          </Button>
        )}
        <Button small onClick={onEdit} aria-label={`Edit ${alert.name}`}>
          Edit
        </Button>
        <Switch
          label={`Watch: ${alert.name}`}
          checked={alert.is_active}
          onChange={(isActive) => toggle.mutate({ id: alert.id, isActive })}
        />
        <IconButton icon="close" label={`Delete ${alert.name}`} onClick={() => remove.mutate(alert.id)} />
      </div>
    </li>
  );
}
