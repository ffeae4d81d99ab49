/** One replay in React: a place for its canvas, its state, and the commands of the viewer. */
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { socketAddress } from "@/lib/sockets";
import type { Command } from "./messages";
import { type OpenReplay, openReplay } from "./open";
import { afterCommand, afterEvent, opening, type ReplayState } from "./state";

export interface Replay {
  place: RefObject<HTMLDivElement | null>;
  state: ReplayState;
  send: (command: Command) => void;
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
      (event) => setState((before) => afterEvent(before, event)),
    );
    player.current = opened;
    return () => {
      player.current = null;
      opened.stop();
      canvas.remove();
    };
  }, [runId, episode]);

  const send = useCallback((command: Command) => {
    player.current?.send(command);
    setState((before) => afterCommand(before, command));
  }, []);
  return useMemo(
    () => ({
      place,
      state,
      send,
      toggle: () => send({ op: latest.current.state.playing ? "pause" : "play" }),
      seek: (step: number) => send({ op: "seek", step: Math.max(0, Math.round(step)) }),
    }),
    [state, send],
  );
}
