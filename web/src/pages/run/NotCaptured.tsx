/** What of a captured script the lab did not see: curves and lists are without it. */
import { useQuery } from "@tanstack/react-query";
import type { Run } from "@/api/types";
import { notCapturedQuery } from "@/entities/events/queries";
import { Panel } from "@/ui/Panel";

/** Nothing when everything was captured. */
export function NotCaptured({ run }: { run: Run }) {
  const { data: texts = [] } = useQuery(notCapturedQuery(run.id));
  if (texts.length === 0) return null;
  return (
    <Panel title="Not captured">
      <ul className="flex flex-col gap-1 text-sm text-ink-2">
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </Panel>
  );
}
