/** What happened to the run, newest first, live. */
import { EventLog } from "@/panels/event-log/EventLog";
import { useRunEvents } from "@/panels/event-log/use-run-events";
import { Panel } from "@/ui/Panel";
import type { TabProps } from "./tabs";

export default function EventsTab({ run }: TabProps) {
  const events = useRunEvents(run.id);
  return (
    <Panel title="Events" flush>
      <EventLog events={events} />
    </Panel>
  );
}
