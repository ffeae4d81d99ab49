/** Which configuration is better, in sentences; how that was decided, what follows, and what would settle the rest. */
import type { Comparison } from "@/api/types";
import { formatPlural } from "@/lib/format";
import { MeasureSelects } from "@/panels/verdict/MeasureSelects";
import { VerdictDetails } from "@/panels/verdict/VerdictDetails";
import { aloneText, mainVerdict, outcomeTitle, outcomeTone, type Verdict } from "@/panels/verdict/verdict";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { Select } from "@/ui/Select";
import { AddSeeds } from "./AddSeeds";
import type { Compared } from "./groups";
import { BEST, type CompareSearch, FIRST, USUAL_MEASURE } from "./search";

/** More sentences than these hide which one matters. */
const MOST_OPEN = 4;

export interface VerdictsPanelProps {
  comparison: Comparison;
  /** Every configuration that is compared, with all of its runs. */
  groups: readonly Compared[];
  /** Runs of the same study and settings that could be added. */
  missing: readonly string[];
  search: CompareSearch;
  onSearch: (change: CompareSearch) => void;
  /** More runs of the compared configurations. */
  onMore: (runIds: readonly string[]) => void;
}

export function VerdictsPanel(props: VerdictsPanelProps) {
  const { comparison, groups, missing, search, onSearch, onMore } = props;
  const shown = openVerdicts(comparison);
  const groupOf = (label: string): Compared | undefined => {
    const runId = comparison.groups.find((group) => group.label === label)?.run_ids[0];
    return groups.find((one) => one.runs.some((run) => run.id === runId));
  };
  return (
    <Panel title="Verdict" actions={<Choices comparison={comparison} search={search} onSearch={onSearch} />}>
      <div className="flex flex-col gap-4">
        {shown.length === 0 && <p className="max-w-[80ch]">{aloneText(comparison) ?? NO_RESULT}</p>}
        <ul aria-label="Verdicts" className="flex flex-col gap-4">
          {shown.map((verdict) => (
            <li key={verdict.group}>
              <VerdictItem
                verdict={verdict}
                group={groupOf(verdict.group)}
                reference={groupOf(verdict.reference)}
                hasMissing={missing.length > 0}
                onMore={onMore}
              />
            </li>
          ))}
        </ul>
        {comparison.recommendation && (
          <p className="max-w-[80ch] border-l-2 border-ink pl-2.5 text-sm">{comparison.recommendation}</p>
        )}
        {missing.length > 0 && <MissingSeeds missing={missing} onMore={onMore} />}
        <VerdictDetails comparison={comparison} shown={shown} />
      </div>
    </Panel>
  );
}

const NO_RESULT = "No run has a result yet. The verdict appears here, and changes as runs end.";

/** All of a few; of many, that on the best configuration. */
export function openVerdicts(comparison: Comparison): Verdict[] {
  const main = mainVerdict(comparison);
  if (main === null) return [];
  const others = comparison.verdicts.filter((one) => one !== main);
  return others.length < MOST_OPEN ? [main, ...others] : [main];
}

interface VerdictItemProps {
  verdict: Verdict;
  group: Compared | undefined;
  reference: Compared | undefined;
  hasMissing: boolean;
  onMore: (runIds: readonly string[]) => void;
}

function VerdictItem({ verdict, group, reference, hasMissing, onMore }: VerdictItemProps) {
  return (
    <div className="flex flex-col items-start gap-2">
      <Badge tone={outcomeTone(verdict)}>{outcomeTitle(verdict)}</Badge>
      <p className="max-w-[80ch] text-base">{verdict.sentence}</p>
      {verdict.advice && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <p className="max-w-[70ch] text-sm text-ink-2">{verdict.advice}</p>
          {verdict.more_seeds !== null && group && reference && (
            <AddSeeds
              verdict={verdict}
              groups={[group, reference]}
              hasMissing={hasMissing}
              onCreated={onMore}
            />
          )}
        </div>
      )}
    </div>
  );
}

function MissingSeeds({ missing, onMore }: Pick<VerdictsPanelProps, "missing" | "onMore">) {
  const count = formatPlural(missing.length, "more run");
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-ink-2">
      <p>{`The study of these runs has ${count} with the same settings.`}</p>
      <Button small icon="plus" onClick={() => onMore(missing)}>
        {missing.length === 1 ? "Compare it too" : "Compare them too"}
      </Button>
    </div>
  );
}

function Choices({
  comparison,
  search,
  onSearch,
}: Pick<VerdictsPanelProps, "comparison" | "search" | "onSearch">) {
  const { groups } = comparison;
  return (
    <div className="flex flex-wrap justify-end gap-2 py-1">
      {groups.length > 1 && (
        <div className="w-60 max-w-full">
          <Select
            label="Compared with"
            value={chosenReference(comparison, search.reference)}
            options={[
              { value: FIRST, title: "Against the first" },
              { value: BEST, title: "Against the highest mean" },
              ...groups.map(({ label, run_ids }) => ({
                value: run_ids[0] ?? label,
                title: `Against ${label}`,
              })),
            ]}
            onChange={(reference) => onSearch({ reference: reference === FIRST ? undefined : reference })}
          />
        </div>
      )}
      <MeasureSelects comparison={comparison} usual={USUAL_MEASURE} onChoose={onSearch} />
    </div>
  );
}

/** The option of the group that the link names by one of its runs. */
export function chosenReference({ groups }: Comparison, reference: string | undefined): string {
  if (reference === BEST) return BEST;
  const found = groups.find((group) => reference !== undefined && group.run_ids.includes(reference));
  return found?.run_ids[0] ?? FIRST;
}
