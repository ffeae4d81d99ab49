/** The verifications or certifications of a training: the button that starts one, and what each found. */
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { ErrorState, Loading } from "@/ui/states";

export interface ComparisonPanelProps<Entry> {
  title: string;
  /** The button: its word, what it does, why it cannot now. */
  action: string;
  hint: string;
  reason: string | null;
  isStarting: boolean;
  onStart: () => void;
  entries: UseQueryResult<Entry[]>;
  /** Shown while there is none. */
  about: string;
  row: (entry: Entry) => ReactNode;
}

export function ComparisonPanel<Entry>(props: ComparisonPanelProps<Entry>) {
  const { title, action, hint, reason, isStarting, onStart, entries, about, row } = props;
  return (
    <Panel
      title={title}
      actions={
        <Button small icon="check" title={hint} reason={reason} disabled={isStarting} onClick={onStart}>
          {action}
        </Button>
      }
    >
      {entries.isPending && <Loading lines={2} />}
      {entries.isError && <ErrorState error={entries.error} />}
      {entries.data?.length === 0 && <p className="text-sm text-ink-2">{about}</p>}
      {entries.data && entries.data.length > 0 && (
        <ul className="flex flex-col divide-y">{entries.data.map(row)}</ul>
      )}
    </Panel>
  );
}
