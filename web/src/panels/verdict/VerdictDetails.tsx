/** What belongs to a verdict: how many were established, how they were corrected, the others, and notes on the seeds. */
import type { Comparison } from "@/api/types";
import { formatPlural } from "@/lib/format";
import { countText, type Verdict } from "./verdict";

export interface VerdictDetailsProps {
  comparison: Comparison;
  /** Those that are shown already. */
  shown: readonly Verdict[];
}

export function VerdictDetails({ comparison, shown }: VerdictDetailsProps) {
  const others = comparison.verdicts.filter((one) => !shown.includes(one));
  const count = countText(comparison.verdicts);
  return (
    <div className="flex max-w-[110ch] flex-col gap-1 text-xs text-ink-2">
      {count && <p>{count}</p>}
      {comparison.correction && <p>{comparison.correction}</p>}
      {others.length > 0 && (
        <details>
          <summary className="w-fit hover:text-ink">{`The other ${formatPlural(others.length, "verdict")}`}</summary>
          <ul className="mt-2 flex max-h-72 list-disc flex-col gap-1 overflow-y-auto pl-5">
            {others.map((one) => (
              <li key={one.group}>{one.sentence}</li>
            ))}
          </ul>
        </details>
      )}
      {comparison.notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </div>
  );
}
