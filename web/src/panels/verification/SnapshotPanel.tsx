/** Software and hardware of a run: the main facts, and all packages unfolded. */
import { useQuery } from "@tanstack/react-query";
import { snapshotQuery } from "@/entities/verifications/queries";
import { formatCount } from "@/lib/format";
import { Panel } from "@/ui/Panel";
import { snapshotFacts } from "./snapshot-facts";

export function SnapshotPanel({ runId }: { runId: string }) {
  const snapshot = useQuery(snapshotQuery(runId)).data;
  if (!snapshot) return null;
  const packages = Object.entries(snapshot.packages);
  return (
    <Panel title="Software and hardware" flush>
      <dl className="text-sm">
        {snapshotFacts(snapshot).map(([title, value]) => (
          <div key={title} className="flex justify-between gap-4 border-b px-4 py-1.5">
            <dt className="shrink-0 text-ink-2">{title}</dt>
            <dd className="figures min-w-0 text-right text-xs leading-5 break-words">{value}</dd>
          </div>
        ))}
      </dl>
      <details className="px-4 py-2 text-sm">
        <summary className="min-h-6 cursor-pointer leading-6 text-ink-2">{`${formatCount(packages.length)} packages`}</summary>
        <ul className="figures mt-2 columns-2 gap-4 text-xs leading-5 text-ink-2">
          {packages.map(([name, version]) => (
            <li key={name} className="break-words">{`${name} ${String(version)}`}</li>
          ))}
        </ul>
      </details>
    </Panel>
  );
}
