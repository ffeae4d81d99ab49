/** The browsers that are signed in, each with a button that signs it out. */
import { useQuery } from "@tanstack/react-query";
import type { BrowserSession } from "@/api/types";
import { browserName, sessionsQuery } from "@/entities/sessions/queries";
import { useEndSessions } from "@/entities/sessions/use-end-sessions";
import { formatDate } from "@/lib/format";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { ErrorState, Loading } from "@/ui/states";

export function BrowsersPanel() {
  const sessions = useQuery(sessionsQuery);
  const { end, endOthers, isBusy } = useEndSessions();
  const others = sessions.data?.filter((session) => !session.is_current) ?? [];
  return (
    <Panel
      title="Signed-in browsers"
      flush
      actions={
        <Button
          small
          kind="quiet"
          disabled={isBusy}
          reason={others.length > 0 ? null : "No other browser is signed in."}
          onClick={endOthers}
        >
          End all others
        </Button>
      }
    >
      {sessions.isPending && (
        <div className="p-4">
          <Loading lines={2} />
        </div>
      )}
      {sessions.isError && <ErrorState error={sessions.error} onRetry={() => void sessions.refetch()} />}
      {sessions.data && (
        <ul>
          {sessions.data.map((session) => (
            <BrowserRow key={session.id} session={session} isBusy={isBusy} onEnd={() => end(session)} />
          ))}
        </ul>
      )}
      <p className="border-t px-4 py-2 text-xs text-ink-3">
        A browser stays signed in for 30 days at most, and for 7 days without use. A terminal shows and ends
        the same list: <code className="figures whitespace-nowrap">rl-lab sessions</code>
      </p>
    </Panel>
  );
}

interface BrowserRowProps {
  session: BrowserSession;
  isBusy: boolean;
  onEnd: () => void;
}

function BrowserRow({ session, isBusy, onEnd }: BrowserRowProps) {
  const name = browserName(session);
  return (
    <li className="flex items-center gap-x-4 border-b px-4 py-2 text-sm last:border-0">
      <div className="grid min-w-0 flex-1 gap-x-4 sm:grid-cols-[minmax(0,1fr)_9rem_11rem_11rem]">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {name}
          {session.is_current && <Badge tone="strong">this one</Badge>}
        </p>
        <p className="figures text-xs leading-5 text-ink-2">{session.address}</p>
        <p className="text-xs leading-5 text-ink-2">Since {formatDate(session.created_at)}</p>
        <p className="text-xs leading-5 text-ink-2">Last seen {formatDate(session.last_seen_at)}</p>
      </div>
      <Button
        small
        kind="quiet"
        className="w-18"
        disabled={isBusy}
        onClick={onEnd}
        aria-label={session.is_current ? "Sign out this browser" : `End the session of ${name}`}
      >
        {session.is_current ? "Sign out" : "End"}
      </Button>
    </li>
  );
}
