/** The end of the worker's log. While the run is live it is read again and again, and the view follows its end. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { logQuery } from "@/entities/logs/queries";
import { Panel } from "@/ui/Panel";
import { Switch } from "@/ui/Switch";
import { EmptyState, ErrorState, Loading } from "@/ui/states";
import { piecesOf } from "./ansi";

export function LogView({ runId, isLive }: { runId: string; isLive: boolean }) {
  const log = useQuery(logQuery(runId, isLive));
  const [follows, setFollows] = useState(true);
  useLastRead(isLive, log.refetch);
  return (
    <Panel title="Log" flush actions={isLive && <FollowSwitch follows={follows} onChange={setFollows} />}>
      {log.isPending && (
        <div className="p-4">
          <Loading lines={6} />
        </div>
      )}
      {log.isError && <ErrorState error={log.error} onRetry={() => void log.refetch()} />}
      {log.data?.lines.length === 0 && (
        <EmptyState title="The log is empty">
          {isLive
            ? "The worker has not written anything so far."
            : "The worker wrote nothing but its events."}
        </EmptyState>
      )}
      {log.data && log.data.lines.length > 0 && (
        <Lines lines={log.data.lines} follows={follows} onFollow={setFollows} />
      )}
    </Panel>
  );
}

/** What a worker wrote between the last reading and its end is read once more. */
function useLastRead(isLive: boolean, read: () => unknown): void {
  const wasLive = useRef(isLive);
  useEffect(() => {
    if (wasLive.current && !isLive) void read();
    wasLive.current = isLive;
  }, [isLive, read]);
}

function FollowSwitch({ follows, onChange }: { follows: boolean; onChange: (follows: boolean) => void }) {
  return (
    <div className="flex items-center gap-2 text-xs text-ink-2">
      <span aria-hidden="true">Follow</span>
      <Switch label="Follow the end of the log" checked={follows} onChange={onChange} />
    </div>
  );
}

const AT_END_PX = 24;

interface LinesProps {
  lines: readonly string[];
  follows: boolean;
  onFollow: (follows: boolean) => void;
}

function Lines({ lines, follows, onFollow }: LinesProps) {
  const place = useRef<HTMLPreElement>(null);
  const drawn = useMemo(() => lines.map(piecesOf), [lines]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new lines move the end
  useEffect(() => {
    if (follows) place.current!.scrollTop = place.current!.scrollHeight;
  }, [drawn, follows]);
  return (
    <pre
      ref={place}
      role="region"
      tabIndex={0}
      aria-label="Log lines"
      onWheel={(event) => {
        const { scrollHeight, scrollTop, clientHeight } = event.currentTarget;
        if (event.deltaY < 0) onFollow(false);
        else if (scrollHeight - scrollTop - clientHeight < AT_END_PX) onFollow(true);
      }}
      className="figures max-h-[60vh] overflow-auto px-4 py-3 text-xs leading-5 break-words whitespace-pre-wrap"
    >
      {drawn.map((pieces, i) => (
        <div key={i} className="min-h-5">
          {pieces.map((piece, j) => (
            <span key={j} className={piece.look || undefined}>
              {piece.text}
            </span>
          ))}
        </div>
      ))}
    </pre>
  );
}
