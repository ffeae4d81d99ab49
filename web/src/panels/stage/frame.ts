/** One frame on the wire: header length (uint32, little endian), header (JSON), JPEG bytes. */
import { withoutDirections } from "@/api/plain-text";
import type { FrameHeader, PlayEnded, PlayKeys, PlayRole } from "@/api/types";

/** What the lab sends instead of a picture when it cannot render. */
export interface FrameProblem {
  message: string;
  next_step?: string;
}

export interface Frame {
  header: FrameHeader;
  jpeg: Uint8Array<ArrayBuffer>;
}

/** The problem, when this frame carries one instead of a picture. */
export function problemOf(frame: Frame): FrameProblem | null {
  const message = frame.header as unknown as { op?: string; message?: string; next_step?: string };
  return message.op === "error"
    ? { message: message.message ?? "The lab cannot render this.", next_step: message.next_step }
    : null;
}

/** What a play tells its viewers next to its frames. */
export type PlayNote = PlayRole | PlayKeys | PlayEnded;

/** The note of a play, when this frame carries one instead of a picture. */
export function noteOf({ header }: Frame): PlayNote | null {
  const note = header as unknown as PlayNote;
  return note.op === "role" || note.op === "controls" || note.op === "ended" ? note : null;
}

const LENGTH_BYTES = 4;

/** Null for bytes that are not a frame. */
export function parseFrame(buffer: ArrayBuffer): Frame | null {
  if (buffer.byteLength < LENGTH_BYTES) return null;
  const length = new DataView(buffer).getUint32(0, true);
  if (LENGTH_BYTES + length > buffer.byteLength) return null;
  try {
    const text = new TextDecoder().decode(new Uint8Array(buffer, LENGTH_BYTES, length));
    return {
      header: JSON.parse(withoutDirections(text)) as FrameHeader,
      jpeg: new Uint8Array(buffer, LENGTH_BYTES + length),
    };
  } catch {
    return null;
  }
}
