/**
 * Shows alerts that fire: in the page, and by the browser where the user allowed it. Once for the whole page. Those that
 * fired while the connection was lost are fetched when it is back.
 */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { AlertFiring } from "@/api/types";
import { topics, useLiveState, useLiveTopic } from "@/api/use-live";
import { refresh } from "@/entities/live-refresh";
import { isInFront, notificationsOn, showNotice } from "@/entities/notifications/notifications";
import { keys } from "@/entities/query-keys";
import { formatPlural } from "@/lib/format";
import { toast } from "@/ui/toasts";
import { alertFiringsQuery } from "./queries";

const SHOWN_MS = 20_000;
/** More messages at once push each other out. */
const MOST_AT_ONCE = 3;

/** A firing is published again when its command or webhook is done: only the first message is news. */
const keyOf = ({ alert_id, run_id, at }: AlertFiring): string => `${alert_id} ${run_id} ${Date.parse(at)}`;

export function useAlertNotices(onOpen: (runId: string) => void): void {
  const client = useQueryClient();
  const shown = useRef(new Set<string>());
  // Those that are in the lab's list already; null until it was fetched for the first time.
  const listed = useRef<ReadonlySet<string> | null>(null);
  const state = useLiveState();

  const show = (firings: readonly AlertFiring[]) => {
    const fresh = firings.filter((firing) => !shown.current.has(keyOf(firing)));
    for (const firing of fresh) shown.current.add(keyOf(firing));
    const rest = fresh.length - MOST_AT_ONCE;
    if (rest > 0) toast(`${formatPlural(rest, "more alert")} fired; Workbench, Metrics lists them.`);
    for (const firing of fresh.slice(-MOST_AT_ONCE)) announce(firing, () => onOpen(firing.run_id));
  };
  const catchUp = async () => {
    const query = { ...alertFiringsQuery, staleTime: 0, retry: 2 };
    const firings = await client.fetchQuery(query).catch(() => null);
    if (firings === null) return;
    const before = listed.current;
    listed.current = new Set([...(before ?? []), ...firings.map(keyOf)]);
    // The newest come first in the list.
    if (before) show(firings.filter((firing) => !before.has(keyOf(firing))).toReversed());
  };
  const latest = useRef(catchUp);
  latest.current = catchUp;

  useLiveTopic<AlertFiring>(topics.alerts, null, (firings, { reset }) => {
    void refresh(client, keys.alerts, keys.alertFirings);
    show(firings);
    if (reset) void latest.current();
  });
  useEffect(() => {
    if (state === "connected") void latest.current();
  }, [state]);
}

function announce(firing: AlertFiring, onOpen: () => void): void {
  const text = `Alert: ${firing.message}`;
  toast(text, { tone: "warn", shown_ms: SHOWN_MS, action: { title: "Open the run", run: onOpen } });
  if (!notificationsOn.get() || isInFront()) return;
  showNotice({ title: firing.alert_name, body: firing.message }, keyOf(firing), onOpen);
}
