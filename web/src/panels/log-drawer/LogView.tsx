/** The tail of the worker's log. It follows the end until the reader scrolls up, and again when asked to. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { logQuery } from "@/entities/logs/queries";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { EmptyState, ErrorState, Loading } from "@/ui/states";

export function LogView({ runId, isLive }: { runId: string; isLive: boolean }) {
  const log = useQuery(logQuery(runId, isLive));
  const [follows, setFollows] = useState(true);
  return (
    <Panel
      title="Log"
      flush
      actions={
        <>
          {isLive && (
            <Button small kind="quiet" aria-pressed={follows} onClick={() => setFollows(!follows)}>
              {follows ? "Following" : "Follow"}
            </Button>
          )}
          <Button small kind="quiet" icon="reset" onClick={() => void log.refetch()}>
            Reload
          </Button>
        </>
      }
    >
      {log.isPending && (
        <div className="p-4">
          <Loading lines={6} />
        </div>
      )}
      {log.isError && <ErrorState error={log.error} onRetry={() => void log.refetch()} />}
      {log.data?.lines.length === 0 && (
        <EmptyState title="The log is empty">The worker has not written anything so far.</EmptyState>
      )}
      {log.data && log.data.lines.length > 0 && (
        <Lines lines={log.data.lines} follows={follows} onLeaveEnd={() => setFollows(false)} />
      )}
    </Panel>
  );
}

function Lines({
  lines,
  follows,
  onLeaveEnd,
}: {
  lines: readonly string[];
  follows: boolean;
  onLeaveEnd: () => void;
}) {
  const place = useRef<HTMLPreElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new lines move the end
  useEffect(() => {
    if (follows) place.current!.scrollTop = place.current!.scrollHeight;
  }, [lines, follows]);
  return (
    <pre
      ref={place}
      role="region"
      tabIndex={0}
      aria-label="Log lines"
      onWheel={(event) => event.deltaY < 0 && follows && onLeaveEnd()}
      className="figures max-h-[60vh] overflow-auto px-4 py-3 text-xs leading-5"
    >
      {lines.join("\n")}
    </pre>
  );
}
