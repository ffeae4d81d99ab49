/** One study of the list. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Study } from "@/api/types";
import { variantsQuery } from "@/entities/studies/queries";
import { StudyBadge } from "@/entities/studies/StudyBadge";
import { isUnderWay, progressWords, shareDone } from "@/entities/studies/status";
import { formatDate, formatNumber, formatPlural } from "@/lib/format";
import { Progress } from "@/ui/Progress";

export function StudyRow({ study }: { study: Study }) {
  return (
    <li className="relative grid items-center gap-x-4 gap-y-1 border-b px-4 py-3 last:border-0 hover:bg-sunken sm:grid-cols-[minmax(0,1fr)_7rem_11rem] lg:grid-cols-[minmax(0,1fr)_7rem_11rem_15rem_7rem]">
      <div className="min-w-0">
        <Link
          to="/studies/$studyId"
          params={{ studyId: study.id }}
          className="ring-inside font-medium after:absolute after:inset-0"
        >
          {study.name}
        </Link>
        {study.plan.question && <p className="truncate text-sm text-ink-2">{study.plan.question}</p>}
        <p className="figures truncate text-2xs text-ink-3">
          {[study.env_id, study.algorithm?.toUpperCase(), formatPlural(study.counts.variants, "variant")]
            .filter(Boolean)
            .join(" · ")}
        </p>
      </div>
      <StudyBadge status={study.status} />
      <div className="flex flex-col gap-1">
        <span className="figures text-xs text-ink-2">{progressWords(study)}</span>
        {isUnderWay(study) && <Progress label={`Progress of ${study.name}`} fraction={shareDone(study)} />}
      </div>
      <div className="min-w-0 text-xs text-ink-2 max-lg:col-span-full">
        {study.best_variant !== null && study.counts.variants > 1 && (
          <Best studyId={study.id} number={study.best_variant} />
        )}
      </div>
      <span className="text-xs text-ink-3 max-lg:col-span-full">{formatDate(study.created_at)}</span>
    </li>
  );
}

function Best({ studyId, number }: { studyId: string; number: number }) {
  const best = useQuery(variantsQuery(studyId)).data?.find((variant) => variant.number === number);
  if (!best) return null;
  return (
    <p className="truncate">
      {"best: "}
      <span className="text-ink">{best.label}</span>{" "}
      <span className="figures">{formatNumber(best.value, 4)}</span>
    </p>
  );
}
