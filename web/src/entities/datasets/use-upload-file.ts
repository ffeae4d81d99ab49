/** One upload of a file: begins, pauses, resumes after a pause or a reload, and is discarded when cancelled. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { DatasetUpload } from "@/api/types";
import { keys } from "@/entities/query-keys";
import { packMinariFolder } from "./minari-folder";
import { sendFile } from "./upload-file";
import { datasetUploadsQuery, dropDatasetUpload, uploadLab } from "./uploads";

type Phase = "idle" | "packing" | "sending" | "paused" | "done";
type Shown = Pick<DatasetUpload, "name" | "size">;

export function useUploadFile(onUpload: (id: string | null) => void) {
  const client = useQueryClient();
  const uploads = useQuery(datasetUploadsQuery).data ?? [];
  const [shown, setShown] = useState<Shown | null>(null);
  const [received, setReceived] = useState(0);
  const [phase, setPhase] = useState<Phase>("idle");
  const current = useRef<{ id?: string; file?: File; stop?: AbortController }>({});
  const refresh = () => void client.invalidateQueries({ queryKey: keys.datasetUploads });
  const sending = useMutation({
    mutationFn: (chosen: File) => {
      const stop = new AbortController();
      current.current.stop = stop;
      return sendFile(uploadLab, {
        file: chosen,
        id: current.current.id,
        signal: stop.signal,
        onProgress: ({ id, received: arrived }) => {
          current.current.id = id;
          setReceived(arrived);
        },
      });
    },
    onMutate: () => setPhase("sending"),
    onSuccess: ({ id }) => {
      setPhase("done");
      onUpload(id);
    },
    // What arrived is kept: it resumes there.
    onError: () => setPhase("paused"),
    onSettled: refresh,
  });
  const { mutate, reset, error } = sending;
  useEffect(() => () => current.current.stop?.abort(), []);
  const send = (chosen: File) => {
    current.current.stop?.abort();
    const begun = uploads.find((one) => isBegun(one, chosen));
    current.current = { id: begun?.id, file: chosen };
    setShown(chosen);
    setReceived(begun?.received ?? 0);
    onUpload(null);
    mutate(chosen);
  };
  const packing = useMutation({
    mutationFn: packMinariFolder,
    onMutate: () => setPhase("packing"),
    onSuccess: send,
    // The field shows what is wrong with the folder.
    onError: () => setPhase("idle"),
  });
  const clear = () => {
    current.current.stop?.abort();
    current.current = {};
    setShown(null);
    setPhase("idle");
    reset();
    packing.reset();
    onUpload(null);
  };
  const discarding = useMutation({ mutationFn: dropDatasetUpload, onError: () => {}, onSettled: refresh });
  const cancel = () => {
    const { id } = current.current;
    clear();
    if (id) discarding.mutate(id);
  };
  /** A file that arrived whole before. */
  const take = (upload: DatasetUpload) => {
    clear();
    current.current = { id: upload.id };
    setShown(upload);
    setReceived(upload.size);
    setPhase("done");
    onUpload(upload.id);
  };
  const isPaused = error instanceof DOMException && error.name === "AbortError";
  return {
    shown,
    received,
    phase,
    error: packing.error ?? (isPaused ? null : error),
    /** Of the lab, besides the one that is shown. */
    others: uploads.filter(({ id }) => id !== current.current.id),
    send,
    sendFolder: packing.mutate,
    pause: () => current.current.stop?.abort(),
    resume: () => current.current.file && mutate(current.current.file),
    cancel,
    take,
    discard: discarding.mutate,
  };
}

/** The same file, of which a part has arrived. */
const isBegun = (upload: DatasetUpload, { name, size }: Shown): boolean =>
  upload.name === name && upload.size === size && upload.received < upload.size;
