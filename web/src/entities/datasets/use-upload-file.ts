/** One upload of a file: begins, pauses, resumes after a pause or a reload, and is forgotten when cancelled. */
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { forget, recall, remember } from "@/lib/remembered";
import { sendFile } from "./upload-file";
import { dropDatasetUpload, uploadLab } from "./uploads";

type Phase = "idle" | "sending" | "paused" | "done";

/** What this browser knows of an upload that did not end, to resume it after a reload. */
export interface UnfinishedUpload {
  id: string;
  name: string;
  size: number;
  received: number;
}

const KEY = "dataset-upload";

export function useUploadFile(onUpload: (id: string | null) => void) {
  const [file, setFile] = useState<File | null>(null);
  const [received, setReceived] = useState(0);
  const [phase, setPhase] = useState<Phase>("idle");
  const [unfinished, setUnfinished] = useState(() => recall<UnfinishedUpload | null>(KEY, null));
  const current = useRef<{ id?: string; stop?: AbortController }>({});
  const { mutate, reset, error } = useMutation({
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
          remember(KEY, { id, name: chosen.name, size: chosen.size, received: arrived });
        },
      });
    },
    onMutate: () => setPhase("sending"),
    onSuccess: ({ id }) => {
      setPhase("done");
      forget(KEY);
      onUpload(id);
    },
    // What arrived is kept: it resumes there.
    onError: () => setPhase("paused"),
  });
  useEffect(() => () => current.current.stop?.abort(), []);
  const send = (chosen: File) => {
    current.current.stop?.abort();
    const isKnown = unfinished?.name === chosen.name && unfinished.size === chosen.size;
    current.current = { id: isKnown ? unfinished.id : undefined };
    setFile(chosen);
    setReceived(isKnown ? unfinished.received : 0);
    onUpload(null);
    mutate(chosen);
  };
  const cancel = () => {
    const { id = unfinished?.id, stop } = current.current;
    stop?.abort();
    current.current = {};
    setFile(null);
    setUnfinished(null);
    setPhase("idle");
    reset();
    forget(KEY);
    onUpload(null);
    if (id) void dropDatasetUpload(id).catch(() => {});
  };
  const isPaused = error instanceof DOMException && error.name === "AbortError";
  return {
    file,
    received,
    phase,
    error: isPaused ? null : error,
    unfinished,
    send,
    pause: () => current.current.stop?.abort(),
    resume: () => file && mutate(file),
    cancel,
  };
}
