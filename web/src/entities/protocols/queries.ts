import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { EvaluationPreview, EvaluationPreviewQuestion, NewProtocol, ProtocolVersion } from "@/api/types";
import { keys } from "@/entities/query-keys";

/** Each with its versions, newest first; those of the lab itself come last. */
export const protocolsQuery = queryOptions({
  queryKey: keys.protocols,
  queryFn: ({ signal }) => data(api.GET("/api/protocols", { signal })),
});

export const saveProtocol = (body: NewProtocol): Promise<ProtocolVersion> =>
  data(api.POST("/api/protocols", { body }));

export const deleteProtocol = (name: string) =>
  data(api.DELETE("/api/protocols/{name}", { params: { path: { name } } }));

/** Simulates the episodes again in the lab; the same text on the same run gives the same numbers. */
export const evaluationPreviewQuery = (body: EvaluationPreviewQuestion) =>
  queryOptions<EvaluationPreview>({
    queryKey: keys.evaluationPreview(body),
    queryFn: async ({ signal }) =>
      (await data(api.POST("/api/evaluation-codes/preview", { body, signal }))) as EvaluationPreview,
    staleTime: 60_000,
    gcTime: 60_000,
    retry: false,
  });
