/** Which alerts have fired, for which runs, and what became of their commands and webhooks. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { AlertFiring } from "@/api/types";
import { alertFiringsQuery } from "@/entities/alerts/queries";
import { deliveriesOf, deliveryText } from "@/entities/alerts/words";
import { formatDate } from "@/lib/format";
import { cx } from "@/ui/cx";
import { ErrorState } from "@/ui/states";

export function FiringsList() {
  const firings = useQuery(alertFiringsQuery);
  const fired = firings.data ?? [];
  if (fired.length === 0 && !firings.isError) return null;
  return (
    <section aria-labelledby="firings" className="flex flex-col gap-3">
      <h2 id="firings" className="heading">
        Fired
      </h2>
      {firings.isError && <ErrorState error={firings.error} onRetry={() => void firings.refetch()} />}
      {fired.length > 0 && (
        <ul aria-label="Fired alerts" className="flex flex-col rounded-md border bg-surface">
          {fired.map((one) => (
            <FiringRow key={`${one.alert_id} ${one.run_id}`} firing={one} />
          ))}
        </ul>
      )}
    </section>
  );
}

function FiringRow({ firing }: { firing: AlertFiring }) {
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-1 border-b px-4 py-3 last:border-0">
      <div className="min-w-0 flex-1">
        <Link
          to="/runs/$runId"
          params={{ runId: firing.run_id }}
          className="ring-inside font-medium wrap-anywhere hover:underline"
        >
          {firing.message}
        </Link>
        {deliveriesOf(firing).map(([action, delivery]) => (
          <div
            key={action}
            className={cx("text-xs", delivery.state === "failed" ? "text-warn" : "text-ink-2")}
          >
            {`${action}: ${deliveryText(delivery)}`}
            {delivery.output && (
              <pre className="mt-1 max-h-32 overflow-auto font-mono text-ink-3">{delivery.output}</pre>
            )}
          </div>
        ))}
      </div>
      <span className="figures text-xs text-ink-3">{formatDate(String(firing.at))}</span>
    </li>
  );
}
