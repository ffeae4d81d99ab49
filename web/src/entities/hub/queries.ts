/** Packages of checkpoints, pushes of them to the Hugging Face Hub, and pulls from there. */
import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { NewPull, NewPush, PackagePreview, QueryOf, Transfer } from "@/api/types";
import { keys } from "@/entities/query-keys";

export type PackageChoices = QueryOf<"get_card">;

const LOOK_MS = 500;

export interface Package {
  name: string;
  blob: Blob;
}

/** One zip: model, card, configuration, licence, an example. Fetched, so that a failure is shown and not saved. */
export async function fetchPackage(checkpointId: string): Promise<Package> {
  const { data: blob, response } = await api.GET("/api/checkpoints/{checkpoint_id}/package", {
    params: { path: { checkpoint_id: checkpointId } },
    parseAs: "blob",
  });
  const name = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "")?.[1];
  return { name: name ?? "model.zip", blob: blob as unknown as Blob };
}

/** The card is made anew each time: an evaluation may have finished since. */
export const cardQuery = (checkpointId: string, choices: PackageChoices) =>
  queryOptions<PackagePreview>({
    queryKey: keys.card(checkpointId, choices),
    staleTime: 0,
    queryFn: ({ signal }) =>
      data(
        api.GET("/api/checkpoints/{checkpoint_id}/card", {
          params: { path: { checkpoint_id: checkpointId }, query: choices },
          signal,
        }),
      ),
  });

export const hasEnded = (transfer: Pick<Transfer, "ended_at">): boolean => transfer.ended_at != null;

/** All pushes of this lab, newest first; asked again while one is at work. */
export const pushesQuery = queryOptions<Transfer[]>({
  queryKey: keys.pushes,
  queryFn: async ({ signal }) => (await data(api.GET("/api/pushes", { signal }))).items,
  refetchInterval: (query) => (query.state.data?.every(hasEnded) === false ? LOOK_MS : false),
});

/** All pulls of this lab, newest first. */
export const pullsQuery = queryOptions<Transfer[]>({
  queryKey: keys.pulls,
  queryFn: async ({ signal }) => (await data(api.GET("/api/pulls", { signal }))).items,
});

export const createPush = (wanted: NewPush): Promise<Transfer> =>
  data(api.POST("/api/pushes", { body: wanted }));

export const cancelPush = (pushId: string): Promise<Transfer> =>
  data(api.DELETE("/api/pushes/{transfer_id}", { params: { path: { transfer_id: pushId } } }));

export const createPull = (wanted: NewPull): Promise<Transfer> =>
  data(api.POST("/api/pulls", { body: wanted }));

export const cancelPull = (pullId: string): Promise<Transfer> =>
  data(api.DELETE("/api/pulls/{transfer_id}", { params: { path: { transfer_id: pullId } } }));

export const pullQuery = (pullId: string) =>
  queryOptions<Transfer>({
    queryKey: keys.pull(pullId),
    queryFn: ({ signal }) =>
      data(api.GET("/api/pulls/{transfer_id}", { params: { path: { transfer_id: pullId } }, signal })),
    refetchInterval: (query) => (query.state.data && hasEnded(query.state.data) ? false : LOOK_MS),
  });
