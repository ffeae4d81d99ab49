/** One pull from its start to what its files hold; cancelled, or its files forgotten, when nobody waits any more. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { useCallback, useRef } from "react";
import { dropUpload, previewUpload } from "@/entities/imports/queries";
import { keys } from "@/entities/query-keys";
import { cancelPull, createPull, pullQuery } from "./queries";

export function usePull() {
  const starting = useMutation({ mutationFn: createPull, onError: () => {} });
  const id = starting.data?.id ?? null;
  const pull = useQuery({ ...pullQuery(id ?? ""), enabled: id !== null });
  const current = id === null ? null : (pull.data ?? starting.data ?? null);
  const uploadId = current?.upload ?? null;
  const preview = useQuery({
    queryKey: keys.pulledFiles(uploadId ?? ""),
    queryFn: () => previewUpload(uploadId!),
    enabled: uploadId !== null,
    retry: false,
  });
  const left = useRef({ id, uploadId });
  left.current = { id, uploadId };
  const leave = useCallback(() => {
    const { id: pullId, uploadId: files } = left.current;
    if (files !== null) void dropUpload(files).catch(() => {});
    else if (pullId !== null) void cancelPull(pullId).catch(() => {});
  }, []);
  return { pull: current, preview, error: starting.error, start: starting.mutate, leave };
}
