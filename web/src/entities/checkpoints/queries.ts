/** Requests about the checkpoints of all runs. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { Artifact, ArtifactPatch, QueryOf } from "@/api/types";
import { keys } from "@/entities/query-keys";

type ListQuery = QueryOf<"list_checkpoints">;
export type CheckpointFilter = Pick<
  ListQuery,
  "q" | "env_id" | "algorithm" | "tag" | "named" | "run_id" | "acts_live"
> & {
  /** "score", or "-score" for the highest first. */
  sort?: string;
};

const PAGE = 100;

export const checkpointsQuery = (filter: CheckpointFilter = {}) =>
  infiniteQueryOptions({
    queryKey: keys.checkpointsWhere(filter),
    queryFn: ({ pageParam, signal }) => {
      const { sort, ...wanted } = filter;
      const query = { ...wanted, ...orderOf(sort), limit: PAGE, cursor: pageParam };
      return data(api.GET("/api/checkpoints", { params: { query }, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    // Deep comparison of ten thousand rows on every page would make the table slow.
    structuralSharing: false,
  });

type Order = Pick<ListQuery, "sort" | "order">;

/** "-score" → sorted by score, highest first. */
export function orderOf(sort: string | undefined): Order {
  if (!sort) return {};
  const isDown = sort.startsWith("-");
  return { sort: sort.slice(isDown ? 1 : 0) as Order["sort"], order: isDown ? "desc" : "asc" };
}

export const checkpointQuery = (checkpointId: string) =>
  queryOptions({
    queryKey: keys.checkpoint(checkpointId),
    queryFn: ({ signal }) =>
      data(
        api.GET("/api/checkpoints/{checkpoint_id}", {
          params: { path: { checkpoint_id: checkpointId } },
          signal,
        }),
      ),
  });

export const patchCheckpoint = (checkpointId: string, body: ArtifactPatch): Promise<Artifact> =>
  data(api.PATCH("/api/artifacts/{artifact_id}", { params: { path: { artifact_id: checkpointId } }, body }));

/** What the list can be filtered by. */
export const checkpointChoicesQuery = queryOptions({
  queryKey: keys.checkpointChoices,
  queryFn: ({ signal }) => data(api.GET("/api/checkpoints/choices", { signal })),
});
