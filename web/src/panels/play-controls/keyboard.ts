/**
 * The keyboard of a play. Physical keys (`event.code`) that the controls use are held while they are down; the page's
 * own shortcuts and scrolling do not see them. Whatever could swallow a release lets go of everything.
 */
import type { Hands } from "./hands";

export interface KeyboardParts {
  hands: Hands;
  /** The keys that do something now. */
  codes: () => ReadonlySet<string>;
  /** Before the first held key is sent. */
  onPress?: () => void;
  /** Everything was let go of; `isHidden`: because nobody sees the page. */
  onReleased: (why: string, isHidden: boolean) => void;
}

const SOURCE = "keyboard";

/** Starts to listen; returns the function that stops, which lets go of the keys. */
export function listenToHeldKeys(parts: KeyboardParts, target: Window = window): () => void {
  const { hands, codes, onPress, onReleased } = parts;
  const down = new Set<string>();
  const tell = () => hands.hold(SOURCE, down.size > 0 ? { keys: [...down] } : null);
  const release = (why: string, isHidden = false) => {
    down.clear();
    if (hands.releaseAll() || isHidden) onReleased(why, isHidden);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!codes().has(event.code) || isForSomethingElse(event)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.repeat || down.has(event.code)) return;
    down.add(event.code);
    onPress?.();
    tell();
  };
  const onKeyUp = (event: KeyboardEvent) => {
    // With Cmd down a Mac reports no release of other keys.
    if (event.key === "Meta" && down.size > 0) return release(REASONS.meta);
    if (!down.delete(event.code)) return;
    event.preventDefault();
    event.stopPropagation();
    tell();
  };
  const onBlur = () => release(REASONS.blur);
  const onVisibility = () => target.document.hidden && release(REASONS.hidden, true);
  const onFocusIn = ({ target: focused }: FocusEvent) => {
    if (isInDialog(focused)) release(REASONS.dialog);
    else if (isField(focused)) release(REASONS.field);
  };
  const stops = [
    on(target, "keydown", onKeyDown, true),
    on(target, "keyup", onKeyUp, true),
    on(target, "blur", onBlur),
    on(target, "pagehide", onBlur),
    on(target.document, "visibilitychange", onVisibility),
    on(target.document, "focusin", onFocusIn),
  ];
  return () => {
    for (const stop of stops) stop();
    down.clear();
    hands.hold(SOURCE, null);
  };
}

export const REASONS = {
  blur: "Everything was released, because the window lost the focus.",
  hidden: "Paused and everything released, because the page was hidden.",
  dialog: "Everything was released, because a dialog is open.",
  field: "Everything was released, because you are typing in a field.",
  meta: "Everything was released, because of the Cmd key.",
  lost: "Everything was released, because the connection was lost.",
  gamepad: "Everything was released, because the gamepad was unplugged.",
} as const;

function on<E extends Event>(
  target: EventTarget,
  name: string,
  listener: (event: E) => void,
  capture = false,
): () => void {
  target.addEventListener(name, listener as EventListener, capture);
  return () => target.removeEventListener(name, listener as EventListener, capture);
}

function isForSomethingElse(event: KeyboardEvent): boolean {
  if (event.ctrlKey && !event.code.startsWith("Control")) return true;
  if (event.metaKey || event.altKey || event.isComposing) return true;
  return isField(event.target) || isInDialog(event.target) || isAnyDialogOpen() || usesKey(event);
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName));

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("[role=dialog],[role=menu]") !== null;

const isAnyDialogOpen = (): boolean =>
  document.querySelector('[role="dialog"][data-state="open"],[role="menu"][data-state="open"]') !== null;

const PRESSES = new Set(["Space", "Enter", "NumpadEnter"]);
const MOVES = /^(Arrow|Home$|End$|Page)/;

/** A button that has the focus needs the keys that press it, a slider or a list those that move it. */
function usesKey({ target, code }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  if (PRESSES.has(code)) return target.closest("button,a[href],summary,[role=switch],[role=radio]") !== null;
  return MOVES.test(code) && target.closest("[role=slider],[role=radio],[role=tab],[role=listbox]") !== null;
}
