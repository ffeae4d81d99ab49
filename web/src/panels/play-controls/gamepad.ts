/** A gamepad in a play: read once per picture of the browser while one is connected, and not at all otherwise. */
import { type Controls, codesOf, keysFor } from "@/entities/plays/controls";
import type { Grip, Hands } from "./hands";

export type Pad = Pick<Gamepad, "axes" | "buttons">;

/** Sticks do not rest exactly at zero. */
const DEAD = 0.15;
const PRESSED = 0.5;
/** The stick, and the cross of the standard layout where the controls do not name its buttons, are the arrow keys. */
const ARROWS: readonly [code: string, button: number, isPushed: (pad: Pad) => boolean][] = [
  ["ArrowUp", 12, (pad) => (pad.axes[1] ?? 0) < -PRESSED],
  ["ArrowDown", 13, (pad) => (pad.axes[1] ?? 0) > PRESSED],
  ["ArrowLeft", 14, (pad) => (pad.axes[0] ?? 0) < -PRESSED],
  ["ArrowRight", 15, (pad) => (pad.axes[0] ?? 0) > PRESSED],
];

const isDown = (pad: Pad, button: number): boolean => pad.buttons[button]?.pressed ?? false;

/** What this gamepad holds; null: nothing. */
export function gripOf(pad: Pad, controls: Controls): Grip | null {
  const keys = controls.kind === "continuous" ? [] : keysOf(pad, controls);
  const axes = axesOf(pad, controls);
  return keys.length === 0 && Object.keys(axes).length === 0 ? null : { keys, axes };
}

function keysOf(pad: Pad, controls: Controls): string[] {
  const isNamed = (button: number) => (controls.buttons[button] ?? -1) >= 0;
  const named = controls.buttons.flatMap((action, button) =>
    action >= 0 && isDown(pad, button) ? keysFor(controls, action) : [],
  );
  const codes = codesOf(controls);
  const arrows = ARROWS.flatMap(([code, button, isPushed]) =>
    codes.has(code) && (isPushed(pad) || (!isNamed(button) && isDown(pad, button))) ? [code] : [],
  );
  return [...new Set([...named, ...arrows])];
}

function axesOf(pad: Pad, controls: Controls): Record<number, number> {
  const moved = controls.axes.flatMap(({ index, gamepad }) => {
    const value = gamepad === null ? 0 : (pad.axes[gamepad] ?? 0);
    return Math.abs(value) < DEAD ? [] : [[index, beyondDead(value)] as const];
  });
  return Object.fromEntries(moved);
}

/** From 0 at the end of the dead zone to 1 at the stop, in hundredths: a stick that trembles sends nothing. */
const beyondDead = (value: number): number =>
  (Math.sign(value) * Math.round(((Math.min(1, Math.abs(value)) - DEAD) / (1 - DEAD)) * 100)) / 100;

export interface GamepadParts {
  hands: Hands;
  controls: () => Controls | null;
  onUnplugged: () => void;
  /** Tests give their own. */
  pads?: () => readonly (Gamepad | null)[];
}

const SOURCE = "gamepad";

/** Starts to listen; returns the function that stops. */
export function listenToGamepads(parts: GamepadParts, target: Window = window): () => void {
  const { hands, controls, onUnplugged } = parts;
  const pads = parts.pads ?? (() => navigator.getGamepads?.() ?? []);
  let frame = 0;
  const poll = () => {
    const now = controls();
    // A window without the focus gets no input from a gamepad either.
    const [pad] = document.hasFocus() ? pads().filter((one) => one !== null) : [];
    hands.hold(SOURCE, pad && now ? gripOf(pad, now) : null);
    frame = target.requestAnimationFrame(poll);
  };
  const onConnected = () => {
    if (frame === 0) frame = target.requestAnimationFrame(poll);
  };
  const onDisconnected = () => {
    if (pads().some((pad) => pad !== null)) return;
    target.cancelAnimationFrame(frame);
    frame = 0;
    hands.releaseAll();
    onUnplugged();
  };
  target.addEventListener("gamepadconnected", onConnected);
  target.addEventListener("gamepaddisconnected", onDisconnected);
  if (pads().some((pad) => pad !== null)) onConnected();
  return () => {
    target.removeEventListener("gamepadconnected", onConnected);
    target.removeEventListener("gamepaddisconnected", onDisconnected);
    target.cancelAnimationFrame(frame);
    hands.hold(SOURCE, null);
  };
}
