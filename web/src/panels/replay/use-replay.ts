/** One replay in React: a place for its canvas, where it stands, and what the viewer may ask of it. */
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { socketAddress } from "@/lib/sockets";
import type { Wish } from "./messages";
import { type OpenReplay, openReplay } from "./open";
import { afterNews, afterWish, opening, type ReplayState } from "./state";

export interface Replay {
  place: RefObject<HTMLDivElement | null>;
  state: ReplayState;
  wish: (wish: Wish) => void;
  toggle: () => void;
  seek: (step: number) => void;
}

export function useReplay(runId: string, episode: number, startStep: number): Replay {
  const place = useRef<HTMLDivElement>(null);
  const player = useRef<OpenReplay | null>(null);
  const [state, setState] = useState<ReplayState>(() => opening(startStep));
  const latest = useRef({ state, startStep });
  latest.current = { state, startStep };

  useEffect(() => {
    const step = latest.current.startStep;
    setState(opening(step));
    // A canvas given to a Worker cannot be taken back: each episode gets its own.
    const canvas = document.createElement("canvas");
    canvas.className = "size-full object-contain";
    place.current!.replaceChildren(canvas);
    const opened = openReplay(
      socketAddress(`/api/runs/${runId}/episodes/${episode}/replay`),
      canvas,
      step,
      (news) => setState((before) => afterNews(before, news)),
    );
    player.current = opened;
    return () => {
      player.current = null;
      opened.stop();
      canvas.remove();
    };
  }, [runId, episode]);

  const wish = useCallback((wanted: Wish) => {
    player.current?.wish(wanted);
    setState((before) => afterWish(before, wanted));
  }, []);
  return useMemo(
    () => ({
      place,
      state,
      wish,
      toggle: () => wish({ op: latest.current.state.playing ? "pause" : "play" }),
      seek: (step: number) => wish({ op: "seek", step: Math.max(0, Math.round(step)) }),
    }),
    [state, wish],
  );
}
