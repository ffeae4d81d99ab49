import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { AdoptRequest, AdoptResult } from "@/api/types";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";

const LOOK_MS = 500;

export const adopt = (wanted: AdoptRequest): Promise<AdoptResult> =>
  data(api.POST("/api/adoptions", { body: wanted }));

/** Polled until the adoption is done. */
export const adoptionQuery = (adoptionId: string) =>
  queryOptions({
    queryKey: keys.adoption(adoptionId),
    queryFn: async ({ signal, client }): Promise<AdoptResult> => {
      const params = { path: { adoption_id: adoptionId } };
      const result = await data(api.GET("/api/adoptions/{adoption_id}", { params, signal }));
      if (result.is_done) void refresh(client, keys.runs);
      return result;
    },
    refetchInterval: (query) => (query.state.data?.is_done ? false : LOOK_MS),
  });
