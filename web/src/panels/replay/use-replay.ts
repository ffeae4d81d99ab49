/** One replay in React: a place for its canvas, its state, and the commands of the viewer. */
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { socketAddress } from "@/api/addresses";
import type { Command } from "./messages";
import { type OpenReplay, openReplay } from "./open";
import { afterCommand, afterEvent, opening, type ReplayState } from "./state";

export interface Replay {
  /** The ref of the element that the picture fills. */
  place: (element: HTMLElement | null) => void;
  state: ReplayState;
  send: (command: Command) => void;
  toggle: () => void;
  seek: (step: number) => void;
}

interface Opening {
  /** Where it opens. */
  step?: number;
  /** Starts to play by itself. */
  plays?: boolean;
}

/** An episode of a run, or the path of the socket of another one. */
export type ReplayTarget = Opening & ({ runId: string; episode: number } | { address: string });

const addressOf = (target: ReplayTarget): string =>
  "address" in target ? target.address : `/api/runs/${target.runId}/episodes/${target.episode}/replay`;

/** Without a target nothing is opened. */
export function useReplay(target: ReplayTarget | null): Replay {
  const player = useRef<OpenReplay | null>(null);
  const picture = usePicture();
  const { mount } = picture;
  const [state, setState] = useState<ReplayState>(() => opening(target?.step ?? 0));
  const latest = useRef({ state, target });
  latest.current = { state, target };
  const address = target && addressOf(target);

  useEffect(() => {
    if (address === null) return;
    const { step = 0, plays = false } = latest.current.target!;
    setState(opening(step));
    const canvas = mount();
    const opened = openReplay(socketAddress(address), canvas, step, (event) =>
      setState((before) => afterEvent(before, event)),
    );
    player.current = opened;
    if (plays) opened.send({ op: "play" });
    return () => {
      player.current = null;
      opened.stop();
      canvas.remove();
    };
  }, [address, mount]);

  const send = useCallback((command: Command) => {
    player.current?.send(command);
    setState((before) => afterCommand(before, command));
  }, []);
  const { place } = picture;
  return useMemo(
    () => ({
      place,
      state,
      send,
      toggle: () => send({ op: latest.current.state.playing ? "pause" : "play" }),
      seek: (step: number) => send({ op: "seek", step: Math.max(0, Math.round(step)) }),
    }),
    [place, state, send],
  );
}

/** The canvas belongs to the replay, not to the element around it: it moves along when the layout changes. */
function usePicture() {
  const canvas = useRef<HTMLCanvasElement | null>(null);
  const around = useRef<HTMLElement | null>(null);
  const place = useCallback((element: HTMLElement | null) => {
    around.current = element;
    if (element && canvas.current) element.replaceChildren(canvas.current);
  }, []);
  const mount = useCallback(() => {
    // A canvas given to a Worker cannot be taken back: each episode gets its own.
    canvas.current = document.createElement("canvas");
    canvas.current.className = "size-full object-contain";
    around.current?.replaceChildren(canvas.current);
    return canvas.current;
  }, []);
  return { place, mount };
}
