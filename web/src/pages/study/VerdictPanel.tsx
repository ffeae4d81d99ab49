/** The answer of a study in one sentence, with its numbers; and what to do next to be surer. */
import { useNavigate } from "@tanstack/react-router";
import type { Comparison, Study, Variant } from "@/api/types";
import { isUnderWay } from "@/entities/studies/status";
import { useAddSeeds, useConfirm } from "@/entities/studies/use-study-actions";
import { formatNumber, formatPlural } from "@/lib/format";
import { type MeasureChoice, MeasureSelects } from "@/panels/verdict/MeasureSelects";
import { VerdictDetails } from "@/panels/verdict/VerdictDetails";
import {
  aloneText,
  mainVerdict,
  outcomeTitle,
  outcomeTone,
  type Verdict,
  variantsOf,
} from "@/panels/verdict/verdict";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";

const FRESH_SEEDS = 5;

export interface VerdictPanelProps {
  study: Study;
  variants: readonly Variant[];
  comparison: Comparison | undefined;
  /** Whether the comparison is by the measure of the study, of which each variant keeps its value. */
  isOwnMeasure: boolean;
  onChoose: (change: MeasureChoice) => void;
}

export function VerdictPanel({ study, variants, comparison, isOwnMeasure, onChoose }: VerdictPanelProps) {
  const verdict = comparison ? mainVerdict(comparison) : null;
  return (
    <Panel
      title="Verdict"
      aside={verdict && <Badge tone={outcomeTone(verdict)}>{outcomeTitle(verdict)}</Badge>}
      actions={
        comparison && (
          <div className="flex flex-wrap justify-end gap-2 py-1">
            <MeasureSelects comparison={comparison} usual={study.plan.measure} onChoose={onChoose} />
          </div>
        )
      }
    >
      <div className="flex flex-col gap-3">
        <p className="max-w-[80ch] text-base">{answerOf(study, comparison, verdict)}</p>
        {comparison && verdict && <VerdictDetails comparison={comparison} shown={[verdict]} />}
        <div className="flex flex-wrap items-start gap-x-8 gap-y-3">
          {comparison && verdict && <MoreSeeds study={study} comparison={comparison} verdict={verdict} />}
          {isOwnMeasure && <ConfirmBest study={study} variants={variants} />}
        </div>
      </div>
    </Panel>
  );
}

function answerOf(study: Study, comparison: Comparison | undefined, verdict: Verdict | null): string {
  if (verdict) return verdict.sentence;
  const alone = comparison ? aloneText(comparison) : null;
  if (alone) return alone;
  return isUnderWay(study)
    ? "No run has a result yet. The verdict appears here, and changes as runs end."
    : "No run of this study has a result.";
}

interface MoreSeedsProps {
  study: Study;
  comparison: Comparison;
  verdict: Verdict;
}

function MoreSeeds({ study, comparison, verdict }: MoreSeedsProps) {
  const add = useAddSeeds(study.id);
  if (!verdict.advice) return null;
  const count = verdict.more_seeds;
  return (
    <div className="flex max-w-[46ch] flex-col items-start gap-2">
      <p className="text-sm text-ink-2">{verdict.advice}</p>
      {count !== null && count > 0 && (
        <Button
          kind="primary"
          icon="plus"
          disabled={add.isPending}
          onClick={() => add.mutate({ count, variants: variantsOf(comparison, verdict) })}
        >
          {`Add ${formatPlural(count, "seed")}`}
        </Button>
      )}
    </div>
  );
}

/** The best of many is partly luck: fresh seeds show how much of it. */
function ConfirmBest({ study, variants }: { study: Study; variants: readonly Variant[] }) {
  const navigate = useNavigate();
  const confirm = useConfirm(
    study.id,
    (made) => void navigate({ to: "/studies/$studyId", params: { studyId: made.id } }),
  );
  const best = variants.find((variant) => variant.number === study.best_variant);
  if (!best || variants.length < 2) return null;
  return (
    <div className="flex max-w-[46ch] flex-col items-start gap-2">
      <p className="text-sm text-ink-2">
        {`Highest: ${best.label} with ${formatNumber(best.value, 4)}. The best of ${variants.length} is partly lucky: fresh seeds show how good it really is.`}
      </p>
      <Button
        icon="reset"
        disabled={confirm.isPending}
        onClick={() => confirm.mutate({ variant: best.number, seeds: FRESH_SEEDS })}
      >
        {`Train it again with ${FRESH_SEEDS} fresh seeds`}
      </Button>
    </div>
  );
}
