/** A play in React: its connection, what the person holds, and what is shown of it. */
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { PlayHeader, PlayMessage, PlayRole } from "@/api/types";
import { type Controls, codesOf } from "@/entities/plays/controls";
import { listenToGamepads } from "@/panels/play-controls/gamepad";
import { Hands } from "@/panels/play-controls/hands";
import { listenToHeldKeys, REASONS } from "@/panels/play-controls/keyboard";
import type { StageReport } from "@/panels/stage/player";
import type { StageHandle } from "@/panels/stage/Stage";
import { afterSteps, NO_TRACE, type Trace } from "./trace";

export interface Play {
  stage: RefObject<StageHandle | null>;
  hands: Hands;
  header: PlayHeader | null;
  state: StageReport["state"];
  trace: Trace;
  /** Those in use; null until the play has sent them. */
  controls: Controls | null;
  /** Somebody else plays: this viewer watches. */
  watches: PlayRole | null;
  /** Why everything was let go of; empty: nothing to say. */
  notice: string;
  send: (message: PlayMessage) => void;
  onReport: (report: StageReport) => void;
}

interface Shown extends Pick<Play, "header" | "state" | "trace" | "controls" | "notice"> {
  role: PlayRole | null;
}

const NOTHING: Shown = {
  header: null,
  state: "connecting",
  trace: NO_TRACE,
  controls: null,
  notice: "",
  role: null,
};

export function usePlay(): Play {
  const stage = useRef<StageHandle>(null);
  const [shown, setShown] = useState(NOTHING);
  const counted = useRef(0);
  const send = useCallback((message: PlayMessage) => {
    stage.current?.send({ ...message, n: ++counted.current });
  }, []);
  const [hands] = useState(() => new Hands(send));
  const say = useCallback((notice: string) => setShown((before) => ({ ...before, notice })), []);
  const latest = useRef(shown);
  latest.current = shown;

  const onReport = useCallback(
    (report: StageReport) => {
      const header = report.header as PlayHeader | null;
      // After a reload the numbers go on where the page before had got to.
      counted.current = Math.max(counted.current, header?.heard ?? 0);
      const before = latest.current.state;
      if (before === "playing" && report.state === "connecting" && hands.releaseAll()) say(REASONS.lost);
      if (before === "connecting" && report.state === "waiting") hands.sendAgain();
      setShown((last) => ({
        ...last,
        header,
        state: report.state,
        role: report.role ?? null,
        controls: sameControls(last.controls, report.keys?.controls),
        trace: afterSteps(last.trace, report.steps ?? []),
      }));
    },
    [hands, say],
  );

  const watches = shown.role?.role === "watcher" && !shown.role.is_free ? shown.role : null;
  const isByHand = shown.header !== null && shown.header.mode !== "agent" && watches === null;
  useEffect(() => {
    if (!isByHand) return;
    const onReleased = (why: string, isHidden: boolean) => {
      if (isHidden) send({ op: "pause" });
      say(why);
    };
    const now = () => latest.current.controls;
    const used = { controls: null as Controls | null, codes: new Set<string>() };
    const codes = () => {
      const controls = now();
      if (controls !== used.controls && controls !== null)
        Object.assign(used, { controls, codes: codesOf(controls) });
      return used.codes;
    };
    const stops = [
      listenToHeldKeys({
        hands,
        codes,
        onPress: () => latest.current.notice !== "" && say(""),
        onReleased,
      }),
      listenToGamepads({ hands, controls: now, onUnplugged: () => say(REASONS.gamepad) }),
    ];
    return () => {
      for (const stop of stops) stop();
      hands.releaseAll();
    };
  }, [isByHand, hands, send, say]);

  const { header, state, trace, notice, controls } = shown;
  return { stage, hands, header, state, trace, controls, watches, notice, send, onReport };
}

/** Each report is a copy from the Worker: what has not changed stays the same object. */
function sameControls(before: Controls | null, next: object | undefined): Controls | null {
  if (next === undefined) return before;
  return JSON.stringify(before) === JSON.stringify(next) ? before : (next as Controls);
}
