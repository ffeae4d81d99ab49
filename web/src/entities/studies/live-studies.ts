/** Keeps studies in the cache up to date with the live messages of the lab. */
import { type InfiniteData, type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import type { Run, Study, StudyPage } from "@/api/types";
import { topics, useLiveTopic } from "@/api/use-live";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { studyRunsQuery } from "@/entities/runs/queries";
import { throttled } from "@/lib/throttled";
import { studyQuery } from "./queries";

/** Two hundred runs that report at once are one request for each thing on the screen. */
const EVERY_MS = 2_000;

/** One study, live: its own state at once, what is computed from its runs every two seconds. */
export function useStudy(studyId: string) {
  const client = useQueryClient();
  const { ask, cancel } = useMemo(
    () => throttled(() => void refresh(client, keys.study(studyId), keys.studyParts(studyId)), EVERY_MS),
    [client, studyId],
  );
  useEffect(() => cancel, [cancel]);
  useLiveStudies();
  useLiveTopic<Study>(topics.studies, null, (studies) => {
    if (studies.some((study) => study.id === studyId)) ask();
  });
  useLiveTopic<Run>(topics.runs, null, (runs) => {
    if (!document.hidden && runs.some((run) => run.study_id === studyId)) ask();
  });
  return useQuery(studyQuery(studyId));
}

/** The lists of studies and the opened one follow the messages; a study that is new in a list reloads the list. */
export function useLiveStudies(): void {
  const client = useQueryClient();
  useLiveTopic<Study>(topics.studies, null, (studies, batch) => {
    for (const study of studies) keepStudy(client, study);
    if (batch.reset) void refresh(client, keys.studies);
  });
}

type Lists = InfiniteData<StudyPage>;

/** A study that arrived replaces the older one wherever it is shown. */
export function keepStudy(client: QueryClient, study: Study): void {
  const known = client.getQueryData<Study>(keys.study(study.id));
  if (known && known.version <= study.version) client.setQueryData(keys.study(study.id), study);
  for (const [key, lists] of client.getQueriesData<Lists>({ queryKey: keys.studies })) {
    if (!lists) continue;
    const isKnown = lists.pages.some((page) => page.items.some((item) => item.id === study.id));
    if (!isKnown || study.deleted_at) void refresh(client, key);
    else client.setQueryData<Lists>(key, withStudy(lists, study));
  }
}

const withStudy = (lists: Lists, study: Study): Lists => ({
  ...lists,
  pages: lists.pages.map((page) => ({
    ...page,
    items: page.items.map((item) => (item.id === study.id ? study : item)),
  })),
});

/** All runs of a study, live; none while nothing asks for them. */
export function useStudyRuns(studyId: string, isWanted: boolean): readonly Run[] {
  const runs = useQuery({ ...studyRunsQuery(studyId), enabled: isWanted });
  return useMemo(() => runs.data?.pages.flatMap((page) => page.items) ?? [], [runs.data]);
}
