/** What becomes of a play when its page is left for another one. Pure. */
import type { PlayHeader, PlayMessage } from "@/api/types";

export interface Leaving {
  message: PlayMessage;
  text: string;
  /** The title of the way back. */
  back: string;
}

/** Null: the play is not this viewer's, or not open yet. A model that acts alone has always an episode under way. */
export function leavingOf(header: PlayHeader | null, isWatching: boolean): Leaving | null {
  if (header === null || isWatching) return null;
  const hasBegun = header.step > (header.taken_over_at ?? 0);
  const isUnderWay = hasBegun && (!header.ended || header.mode === "agent");
  if (isUnderWay)
    return {
      message: { op: "pause" },
      text: "The play is paused. It ends by itself if you stay away; its episodes are kept.",
      back: "Continue",
    };
  return {
    message: { op: "end" },
    text: "The play has ended. Its episodes are kept.",
    back: "Open it",
  };
}
