/** One study: its verdict at the top, then curves, what its sweep shows, and every variant with its runs. */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { ProblemError } from "@/api/problem";
import type { Comparison, Study } from "@/api/types";
import { useStudy } from "@/entities/studies/live-studies";
import { variantsQuery } from "@/entities/studies/queries";
import { studyComparisonQuery } from "@/entities/studies/statistics";
import { usePatchStudy } from "@/entities/studies/use-study-actions";
import { useComparedLooks } from "@/lib/colour";
import { NotePanel } from "@/panels/notes/NotePanel";
import { ProfilePanel } from "@/panels/profile/ProfilePanel";
import { ComparisonFailed } from "@/panels/verdict/ComparisonFailed";
import type { MeasureChoice } from "@/panels/verdict/MeasureSelects";
import { ErrorState, Loading } from "@/ui/states";
import { StudyCurves } from "./StudyCurves";
import { StudyHeader } from "./StudyHeader";
import { SweepViews } from "./SweepViews";
import type { StudySearch } from "./search";
import { VariantsPanel } from "./VariantsPanel";
import { VerdictPanel } from "./VerdictPanel";

const route = getRouteApi("/studies/$studyId");

export function StudyPage() {
  const { studyId } = route.useParams();
  const study = useStudy(studyId);
  if (study.isPending)
    return (
      <div className="p-6">
        <Loading lines={6} />
      </div>
    );
  if (study.isError)
    return (
      <>
        <h1 className="sr-only">This study cannot be shown</h1>
        <StudyProblem error={study.error} onRetry={() => void study.refetch()} />
      </>
    );
  return (
    <div className="container-page flex flex-col gap-4 py-4">
      <StudyHeader study={study.data} />
      <Parts key={studyId} study={study.data} />
    </div>
  );
}

function StudyProblem({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const isMissing = error instanceof ProblemError && [404, 410].includes(error.status);
  if (!isMissing) return <ErrorState error={error} onRetry={onRetry} />;
  return (
    <ErrorState
      title="No such study"
      error={error}
      action={
        <Link to="/studies" className="mt-2 text-sm font-semibold underline underline-offset-4">
          All studies
        </Link>
      }
    />
  );
}

function Parts({ study }: { study: Study }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const onSearch = useCallback(
    (change: StudySearch) =>
      void navigate({ search: (s) => ({ ...s, ...change }), replace: true, resetScroll: false }),
    [navigate],
  );
  const patch = usePatchStudy(study.id);
  const variants = useQuery(variantsQuery(study.id));
  const question = questionOf(search);
  const isOwnMeasure = Object.keys(question).length === 0;
  const comparison = useQuery({
    ...studyComparisonQuery(study.id, question),
    enabled: study.counts.runs > 0,
  });
  /** The variants that the parallel coordinates keep; null: all. */
  const [kept, setKept] = useState<readonly number[] | null>(null);
  const look = useComparedLooks((variants.data ?? []).map(({ number }) => String(number)));
  const lookOfGroup = useCallback(
    ({ variant, label }: Comparison["groups"][number]) => look(String(variant ?? label)),
    [look],
  );
  return (
    <>
      {comparison.isError ? (
        <ComparisonFailed
          error={comparison.error}
          search={question}
          onSearch={onSearch}
          onRetry={() => void comparison.refetch()}
        />
      ) : (
        <VerdictPanel
          study={study}
          variants={variants.data ?? []}
          comparison={comparison.data}
          isOwnMeasure={isOwnMeasure}
          onChoose={onSearch}
        />
      )}
      <StudyCurves study={study} look={look} search={search} onSearch={onSearch} />
      {study.plan.sweep && <SweepViews study={study} search={search} onSearch={onSearch} onKeep={setKept} />}
      <VariantsPanel
        study={study}
        variants={variants.data ?? []}
        kept={kept}
        comparison={comparison.data}
        isOwnMeasure={isOwnMeasure}
        look={look}
        sort={search.sort}
        onSort={(sort) => onSearch({ sort })}
      />
      {comparison.data && <ProfilePanel comparison={comparison.data} look={lookOfGroup} />}
      <NotePanel about="this study" note={study.notes} onSave={(notes) => patch.mutate({ notes })} />
    </>
  );
}

const questionOf = ({ measure, protocol }: StudySearch): MeasureChoice => ({
  ...(measure && { measure }),
  ...(protocol && { protocol }),
});
