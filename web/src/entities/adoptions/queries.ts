import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { AdoptRequest, AdoptResult } from "@/api/types";

const LOOK_MS = 500;

export const adopt = (wanted: AdoptRequest): Promise<AdoptResult> =>
  data(api.POST("/api/adoptions", { body: wanted }));

/** Asked again and again until it is done. */
export const adoptionQuery = (adoptionId: string) =>
  queryOptions({
    queryKey: ["adoption", adoptionId],
    queryFn: ({ signal }): Promise<AdoptResult> =>
      data(
        api.GET("/api/adoptions/{adoption_id}", { params: { path: { adoption_id: adoptionId } }, signal }),
      ),
    refetchInterval: (query) => (query.state.data?.is_done ? false : LOOK_MS),
  });
