/** A study as one row of the table of runs: name, progress, and the mean of its best variant. */
import { useQuery } from "@tanstack/react-query";
import { memo, type ReactNode } from "react";
import type { Study, Variant } from "@/api/types";
import { Sparkline } from "@/charts/Sparkline";
import { studyQuery, variantsQuery } from "@/entities/studies/queries";
import { StudyBadge } from "@/entities/studies/StudyBadge";
import { curvesQuery } from "@/entities/studies/statistics";
import { isUnderWay, progressWords, STUDY_DOTS, shareDone } from "@/entities/studies/status";
import { formatDate, formatNumber } from "@/lib/format";
import { cx } from "@/ui/cx";
import { Icon } from "@/ui/icons";
import { Progress } from "@/ui/Progress";
import type { Column } from "./column";

export interface StudyCellsProps {
  studyId: string;
  isOpen: boolean;
  columns: readonly Column[];
  onToggle: (studyId: string) => void;
}

export const StudyCells = memo(function StudyCells({ studyId, isOpen, columns, onToggle }: StudyCellsProps) {
  const study = useQuery(studyQuery(studyId)).data;
  const variants = useQuery(variantsQuery(studyId)).data;
  const best = variants?.find((variant) => variant.number === study?.best_variant);
  const hasCurve = columns.some(({ id }) => id === "course") && best !== undefined;
  const curves = useQuery({ ...curvesQuery(studyId, "mean"), enabled: hasCurve }).data;
  const curve = curves?.groups.find((group) => group.variant === best?.number)?.value;
  return (
    <>
      <div role="cell">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={`Runs of ${study?.name ?? "the study"}`}
          onClick={() => onToggle(studyId)}
          className="ring-inside grid size-8 place-items-center rounded-sm text-ink-2 hover:text-ink"
        >
          <Icon name={isOpen ? "down" : "right"} size={14} />
        </button>
      </div>
      {columns.map((column) => (
        <div
          key={column.id}
          role="cell"
          className={cx("min-w-0 truncate px-2", column.isFigure && "figures text-right text-xs")}
        >
          {study && column.id === "course"
            ? curve && <Sparkline values={curve} width={92} height={22} />
            : study && cellOf(column, study, best)}
        </div>
      ))}
    </>
  );
});

/** Measures that are in the same unit as the columns; a study may also be judged by numbers of evaluation code. */
const RETURNS: ReadonlySet<string> = new Set(["final", "best", "area", "evaluation"]);

function cellOf(column: Column, study: Study, best: Variant | undefined): ReactNode {
  if (column.id === "status")
    return column.title ? <StudyBadge status={study.status} /> : <Dot study={study} />;
  if (column.id === "name") return <Name study={study} />;
  if (column.id === "environment") return study.env_id;
  if (column.id === "algorithm") return study.algorithm?.toUpperCase();
  if (column.id === "best" || column.id === "mean")
    return RETURNS.has(study.plan.measure ?? "final") ? (
      <span title={best && `Mean over the seeds of the best variant: ${best.label}`}>
        {best ? formatNumber(best.value) : ""}
      </span>
    ) : null;
  if (column.id === "created")
    return <span className="text-xs text-ink-2">{formatDate(study.created_at)}</span>;
  return null;
}

function Dot({ study }: { study: Study }) {
  return (
    <span title={study.status} className="flex items-center">
      <span aria-hidden="true" className={cx("size-2.5 rounded-full", STUDY_DOTS[study.status])} />
      <span className="sr-only">{study.status}</span>
    </span>
  );
}

function Name({ study }: { study: Study }) {
  return (
    <div className="min-w-0">
      <a
        href={`/studies/${study.id}`}
        data-study={study.id}
        title={study.name}
        className="ring-inside block truncate rounded-sm leading-tight font-medium hover:underline"
      >
        {study.name}
      </a>
      <p className="figures truncate text-2xs leading-tight text-ink-3">{`Study · ${progressWords(study)}`}</p>
      {isUnderWay(study) && <Progress label={`Progress of ${study.name}`} fraction={shareDone(study)} />}
    </div>
  );
}
