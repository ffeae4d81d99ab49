/** Leaving the page of a play pauses or ends it at once, and says so. A reload comes back to the same play. */
import { useRouter } from "@tanstack/react-router";
import { useLayoutEffect, useRef } from "react";
import { toast } from "@/ui/toasts";
import { leavingOf } from "./leaving";
import type { Play } from "./use-play";

export function useLeave(runId: string, play: Play): void {
  const router = useRouter();
  const latest = useRef(play);
  latest.current = play;
  // A layout effect: it is cleaned up while the connection is still there to send a last message.
  useLayoutEffect(
    () => () => {
      // A play that has ended is taken off its own page too.
      if (router.state.location.pathname === `/play/${runId}`) return;
      const { header, watches, state, send } = latest.current;
      const leaving = state === "playing" ? leavingOf(header, watches !== null) : null;
      if (leaving === null) return;
      send(leaving.message);
      const back = () => void router.navigate({ to: "/play/$runId", params: { runId } });
      toast(leaving.text, { action: { title: leaving.back, run: back } });
    },
    [router, runId],
  );
}
