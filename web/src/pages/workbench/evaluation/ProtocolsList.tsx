/** All protocols, the one changed last first. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { SavedProtocol } from "@/api/types";
import { protocolsQuery } from "@/entities/protocols/queries";
import { describeProtocol } from "@/entities/protocols/words";
import { formatDate, formatPlural } from "@/lib/format";
import type { WorkbenchSearch } from "@/pages/workbench/search";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { ErrorState, Loading } from "@/ui/states";

export function ProtocolsList({ onOpen }: { onOpen: (next: WorkbenchSearch) => void }) {
  const protocols = useQuery(protocolsQuery);
  return (
    <section aria-labelledby="protocols" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <h2 id="protocols" className="heading">
            Protocols
          </h2>
          <p className="max-w-3xl text-sm text-ink-2">
            A protocol defines how a policy is measured. Every score cites its protocol, and scores of
            different ones are never mixed.
          </p>
        </div>
        <Button kind="primary" icon="plus" onClick={() => onOpen({ protocol: "new" })}>
          New protocol
        </Button>
      </div>
      {protocols.isPending && <Loading lines={3} />}
      {protocols.isError && <ErrorState error={protocols.error} onRetry={() => void protocols.refetch()} />}
      {protocols.isSuccess && (
        <ul aria-label="Protocols" className="flex flex-col rounded-md border bg-surface">
          {protocols.data.map((one) => (
            <Row key={one.name} protocol={one} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Row({ protocol }: { protocol: SavedProtocol }) {
  const [newest] = protocol.versions;
  if (!newest) return null;
  return (
    <li className="relative flex flex-wrap items-center justify-between gap-x-6 gap-y-0.5 border-b px-4 py-3 last:border-0 hover:bg-sunken">
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2">
          <Link
            to="/workbench"
            search={{ tab: "evaluation", protocol: protocol.name }}
            className="ring-inside truncate font-medium after:absolute after:inset-0"
          >
            {protocol.name}
          </Link>
          {protocol.is_built_in && <Badge>part of the lab</Badge>}
        </p>
        <p className="text-xs text-ink-2">{describeProtocol(newest)}</p>
        {newest.description && <p className="text-xs wrap-anywhere text-ink-3">{newest.description}</p>}
      </div>
      {!protocol.is_built_in && (
        <span className="figures text-xs text-ink-3">
          {`${formatPlural(protocol.versions.length, "version")} · ${formatDate(String(newest.created_at))}`}
        </span>
      )}
    </li>
  );
}
