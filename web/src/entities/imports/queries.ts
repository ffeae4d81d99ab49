import { api, data } from "@/api/client";
import type { ImportChoices, ImportPreview, ImportUpload, Run } from "@/api/types";
import { upload } from "@/api/upload";
import { withParameter } from "@/lib/parameters";

/** The files of one import, sent one after the other; then the lab reads them, in a confined process. */
export async function sendModel(
  files: readonly File[],
  onProgress: (fraction: number) => void,
): Promise<ImportPreview> {
  const total = files.reduce((sum, file) => sum + file.size, 0) || 1;
  let id: string | null = null;
  let done = 0;
  for (const file of files) {
    let address = withParameter("/api/models/import", "name", nameOf(file));
    if (id !== null) address = withParameter(address, "upload", id);
    const sent: ImportUpload = await upload(address, file, (part) =>
      onProgress((done + part * file.size) / total),
    );
    id = sent.id;
    done += file.size;
  }
  if (id === null) throw new Error("no file");
  const uploadId: string = id;
  try {
    return await previewUpload(uploadId);
  } catch (error) {
    void dropUpload(uploadId).catch(() => {});
    throw error;
  }
}

/** What files in the lab hold, read in a confined process. */
export const previewUpload = (uploadId: string): Promise<ImportPreview> =>
  data(api.GET("/api/models/import/{upload_id}", { params: { path: { upload_id: uploadId } } }));

/** Its path in a chosen folder, without the folder's own name. */
export const nameOf = (file: File): string =>
  (file.webkitRelativePath || "").split("/").slice(1).join("/") || file.name;

export const importModel = (uploadId: string, choices: ImportChoices): Promise<Run> =>
  data(
    api.POST("/api/models/import/{upload_id}", { params: { path: { upload_id: uploadId } }, body: choices }),
  );

export const dropUpload = (uploadId: string): Promise<unknown> =>
  data(api.DELETE("/api/models/import/{upload_id}", { params: { path: { upload_id: uploadId } } }));
