/** What happened to the run, newest first, live. */

import { useRunEvents } from "@/entities/events/use-run-events";
import { EventLog } from "@/panels/event-log/EventLog";
import { Panel } from "@/ui/Panel";
import type { TabProps } from "./tab";

export default function EventsTab({ run }: TabProps) {
  const events = useRunEvents(run.id);
  return (
    <Panel title="Events" flush>
      <EventLog events={events} className="max-h-[max(24rem,calc(100dvh-17rem))]" />
    </Panel>
  );
}
