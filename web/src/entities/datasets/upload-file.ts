/** Sends a file in parts, so that it can be paused and resumed after a lost connection or a reload. */
import { ProblemError } from "@/api/problem";

export interface UploadState {
  id: string;
  /** Bytes that the lab has. */
  received: number;
}

/** The requests it needs. */
export interface UploadLab {
  begin: (name: string, size: number, part: Blob, signal: AbortSignal) => Promise<UploadState>;
  find: (id: string) => Promise<UploadState>;
  send: (id: string, offset: number, part: Blob, signal: AbortSignal) => Promise<UploadState>;
  /** Some time, before a refused part is sent again. */
  pause: () => Promise<void>;
}

export const PART_BYTES = 8 * 1024 * 1024;
/** The lab may not have noticed yet that the last connection is gone, and refuses a second one. */
const MOST_REFUSALS = 5;

export interface Sending {
  file: File;
  /** Of an upload that began earlier; absent: a new one. */
  id?: string;
  signal: AbortSignal;
  onProgress: (state: UploadState) => void;
}

/** Resolves when the lab has the whole file. */
export async function sendFile(lab: UploadLab, sending: Sending): Promise<UploadState> {
  const { file, id, signal, onProgress } = sending;
  if (file.size === 0) throw new Error("The file is empty.");
  let state =
    id === undefined
      ? await lab.begin(file.name, file.size, file.slice(0, PART_BYTES), signal)
      : await lab.find(id);
  onProgress(state);
  for (let refusals = 0; state.received < file.size; ) {
    signal.throwIfAborted();
    const next = await sendPart(lab, sending, state);
    refusals = next.received > state.received ? 0 : refusals + 1;
    if (refusals > MOST_REFUSALS) throw new Error("The lab does not take the rest of the file. Try again.");
    if (refusals > 0) await lab.pause();
    state = next;
    onProgress(state);
  }
  return state;
}

async function sendPart(
  lab: UploadLab,
  { file, signal }: Sending,
  { id, received }: UploadState,
): Promise<UploadState> {
  try {
    return await lab.send(id, received, file.slice(received, received + PART_BYTES), signal);
  } catch (error) {
    if (error instanceof ProblemError && error.status === 409) return lab.find(id);
    throw error;
  }
}
