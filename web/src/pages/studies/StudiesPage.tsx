/** All studies, newest first: what each asks, how far it is, and its best variant. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useDeferredValue } from "react";
import { useLiveStudies } from "@/entities/studies/live-studies";
import { studiesQuery } from "@/entities/studies/queries";
import { STUDY_STATUSES } from "@/entities/studies/status";
import { formatPlural } from "@/lib/format";
import { newStudyDialog } from "@/panels/new-study/dialog";
import { Button } from "@/ui/Button";
import { SearchField } from "@/ui/SearchField";
import { Select } from "@/ui/Select";
import { EmptyState, ErrorState, Loading } from "@/ui/states";
import { StudyRow } from "./StudyRow";
import type { StudiesSearch } from "./search";

const route = getRouteApi("/studies");
const NEW = "New study";

export function StudiesPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  useLiveStudies();
  const q = useDeferredValue(search.q);
  const studies = useInfiniteQuery(studiesQuery({ q, status: search.status && [search.status] }));
  const items = studies.data?.pages.flatMap((page) => page.items) ?? [];
  const onSearch = (change: StudiesSearch) =>
    void navigate({ search: (s) => ({ ...s, ...change }), replace: true, resetScroll: false });
  return (
    <div className="container-page flex flex-col gap-4 py-4 sm:py-6">
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="title">Studies</h1>
        <span className="figures text-xs text-ink-3">{studies.data?.pages[0]?.total}</span>
        <div className="w-64 max-sm:order-last max-sm:w-full">
          <SearchField
            label="Filter studies"
            value={search.q ?? ""}
            onChange={(text) => onSearch({ q: text || undefined })}
          />
        </div>
        <div className="w-40">
          <Select
            label="Status"
            value={search.status ?? ""}
            options={[
              { value: "", title: "Any status" },
              ...STUDY_STATUSES.map((status) => ({
                value: status,
                title: status.charAt(0).toUpperCase() + status.slice(1),
              })),
            ]}
            onChange={(status) => onSearch({ status: status || undefined })}
          />
        </div>
        <Button kind="primary" icon="plus" className="ml-auto" onClick={() => newStudyDialog.set(true)}>
          {NEW}
        </Button>
      </div>
      {studies.isPending && <Loading lines={6} />}
      {studies.isError && <ErrorState error={studies.error} onRetry={() => void studies.refetch()} />}
      {studies.isSuccess && items.length === 0 && <NoStudies isFiltered={Boolean(q || search.status)} />}
      {items.length > 0 && (
        <ul aria-label="Studies" className="flex flex-col rounded-md border bg-surface">
          {items.map((study) => (
            <StudyRow key={study.id} study={study} />
          ))}
        </ul>
      )}
      {studies.hasNextPage && (
        <Button
          className="self-center"
          disabled={studies.isFetchingNextPage}
          onClick={() => void studies.fetchNextPage()}
        >
          {`Show more of ${formatPlural(studies.data?.pages[0]?.total ?? 0, "study", "studies")}`}
        </Button>
      )}
    </div>
  );
}

function NoStudies({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <EmptyState title="No study matches">Change or clear the filter.</EmptyState>;
  return (
    <EmptyState
      title="No studies yet"
      action={
        <Button kind="primary" icon="plus" onClick={() => newStudyDialog.set(true)}>
          Create the first study
        </Button>
      }
    >
      One run proves nothing: with another seed it ends elsewhere. A study trains one or more configurations
      with several seeds each, and says which is better, by how much, and whether that is established or luck.
    </EmptyState>
  );
}
