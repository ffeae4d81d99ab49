/** Requests about files that are sent to the lab to be imported as datasets. */
import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { DatasetUpload, QueryOf } from "@/api/types";
import { keys } from "@/entities/query-keys";
import type { UploadLab } from "./upload-file";

const at = (id: string) => ({ path: { upload_id: id } });

/** Files that the lab has, whole or in part, and that are not imported yet. */
export const datasetUploadsQuery = queryOptions<DatasetUpload[]>({
  queryKey: keys.datasetUploads,
  queryFn: ({ signal }) => data(api.GET("/api/datasets/uploads", { signal })),
  staleTime: 0,
});

export const findDatasetUpload = (id: string): Promise<DatasetUpload> =>
  data(api.GET("/api/datasets/uploads/{upload_id}", { params: at(id) }));

export const dropDatasetUpload = (id: string) =>
  data(api.DELETE("/api/datasets/uploads/{upload_id}", { params: at(id) }));

const sendPart = (
  query: QueryOf<"upload_dataset">,
  part: Blob,
  signal: AbortSignal,
): Promise<DatasetUpload> =>
  data(
    api.POST("/api/datasets/uploads", {
      params: { query },
      body: part as unknown as string,
      bodySerializer: (body) => body,
      headers: { "Content-Type": "application/octet-stream" },
      signal,
    }),
  );

const PAUSE_MS = 400;

export const uploadLab: UploadLab = {
  begin: (name, size, part, signal) => sendPart({ name, size }, part, signal),
  find: findDatasetUpload,
  send: (id, offset, part, signal) => sendPart({ upload: id, offset }, part, signal),
  pause: () => new Promise((done) => setTimeout(done, PAUSE_MS)),
};
