import { api, data } from "@/api/client";
import type { PackImport, PackPreview } from "@/api/types";
import { upload } from "@/api/upload";
import { withParameter } from "@/lib/parameters";

/** Sends a pack; the lab has then checked all of it and imported nothing. */
export const uploadPack = (file: File, onProgress: (fraction: number) => void): Promise<PackPreview> =>
  upload(withParameter("/api/packs", "name", file.name), file, onProgress);

export const importPack = (packId: string): Promise<PackImport> =>
  data(api.POST("/api/packs/{pack_id}/import", { params: { path: { pack_id: packId } } }));

export const dropPack = (packId: string): Promise<unknown> =>
  data(api.DELETE("/api/packs/{pack_id}", { params: { path: { pack_id: packId } } }));
