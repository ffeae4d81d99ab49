/** Shows alerts that fire: in the page, and by the browser where the user allowed it. Once for the whole page. */
import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import type { AlertFiring } from "@/api/types";
import { topics, useLiveTopic } from "@/api/use-live";
import { refresh } from "@/entities/live-refresh";
import { isInFront, notificationsOn, showNotice } from "@/entities/notifications/notifications";
import { keys } from "@/entities/query-keys";
import { toast } from "@/ui/toasts";

const SHOWN_MS = 20_000;

/** A firing is published again when its command or webhook is done: only the first message is news. */
const keyOf = ({ alert_id, run_id, at }: AlertFiring): string => `${alert_id} ${run_id} ${at}`;

export function useAlertNotices(onOpen: (runId: string) => void): void {
  const client = useQueryClient();
  const seen = useRef(new Set<string>());
  useLiveTopic<AlertFiring>(topics.alerts, null, (firings) => {
    void refresh(client, keys.alerts, keys.alertFirings);
    for (const firing of firings) {
      if (seen.current.has(keyOf(firing))) continue;
      seen.current.add(keyOf(firing));
      announce(firing, () => onOpen(firing.run_id));
    }
  });
}

function announce(firing: AlertFiring, onOpen: () => void): void {
  const text = `Alert: ${firing.message}`;
  toast(text, { tone: "warn", shown_ms: SHOWN_MS, action: { title: "Open the run", run: onOpen } });
  if (!notificationsOn.get() || isInFront()) return;
  showNotice({ title: firing.alert_name, body: firing.message }, keyOf(firing), onOpen);
}
