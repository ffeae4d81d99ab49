/** Whether runs that differ only in their seed agree. Nothing is shown while no two of them do. */
import { useQuery } from "@tanstack/react-query";
import type { SeedGroup } from "@/api/types";
import { confidenceNote } from "@/entities/insights/confidence";
import { seedGroupsQuery } from "@/entities/insights/queries";
import { formatPercent } from "@/lib/format";
import { cx } from "@/ui/cx";
import { Panel } from "@/ui/Panel";
import { Tooltip } from "@/ui/Tooltip";

export function SeedAgreement({ runIds }: { runIds: readonly string[] }) {
  const groups = useQuery(seedGroupsQuery(runIds)).data ?? [];
  if (groups.length === 0) return null;
  return (
    <Panel title="Do the seeds agree?">
      <ul className="flex flex-col gap-4">
        {groups.map((group) => (
          <li key={group.run_ids.join()}>
            <Group group={group} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const TONES = { good: "text-good", info: "text-ink", warning: "text-warn" } as const;

function Group({ group: { seeds, insight } }: { group: SeedGroup }) {
  const names = seeds
    .toSorted((a, b) => (a ?? Infinity) - (b ?? Infinity))
    .map((seed) => seed ?? "unknown")
    .join(", ");
  if (!insight)
    return (
      <p className="text-sm text-ink-2">
        {`Seeds ${names}: neither clear agreement nor clear disagreement, or too few episodes to say.`}
      </p>
    );
  return (
    <article className="flex flex-col gap-1.5">
      <h3 className={cx("flex items-baseline gap-3 text-sm font-medium", TONES[insight.level])}>
        {`${insight.title}: ${names}`}
        {insight.confidence != null && (
          <Tooltip text={confidenceNote(insight)}>
            <button type="button" className="figures min-h-6 text-2xs font-normal text-ink-3">
              {`${formatPercent(insight.confidence)} sure`}
            </button>
          </Tooltip>
        )}
      </h3>
      <p className="text-sm text-ink-2">{insight.text}</p>
      {insight.hint && <p className="border-l-2 border-ink pl-2.5 text-sm text-ink">{insight.hint}</p>}
    </article>
  );
}
