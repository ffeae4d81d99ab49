/** Approved scripts, each with a button to withdraw the approval. */

import { useQuery } from "@tanstack/react-query";
import { consentsQuery } from "@/entities/scripts/queries";
import { useWithdrawConsent } from "@/entities/scripts/use-scripts";
import { formatDate } from "@/lib/format";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";

export function ConsentsPanel() {
  const consents = useQuery(consentsQuery);
  const withdraw = useWithdrawConsent();
  if (!consents.data?.length) return null;
  return (
    <Panel title="Approved scripts" flush>
      <ul>
        {consents.data.map((consent) => (
          <li
            key={consent.sha256}
            className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b px-4 py-2 text-sm last:border-0"
          >
            <span className="figures min-w-0 flex-1 text-xs break-all">{consent.path}</span>
            <span className="figures text-xs text-ink-3" title={consent.sha256}>
              {consent.sha256.slice(0, 12)}
            </span>
            <span className="figures text-xs text-ink-2">{formatDate(consent.at)}</span>
            <Button small kind="quiet" onClick={() => withdraw.mutate(consent)}>
              Withdraw
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
