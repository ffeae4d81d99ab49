/** The table of keyboard shortcuts: components add theirs while mounted; the `?` sheet and the palette list it. */
import { useEffect, useRef } from "react";
import { createStore } from "./store";

export interface KeyBinding {
  /** "ctrl+k", "?", "g r" (one after the other), "shift+ArrowRight". Ctrl also means Cmd. */
  keys: string;
  title: string;
  group: string;
  run: (event: KeyboardEvent) => void;
  /** Works while typing in a field too. */
  inFields?: boolean;
}

export const keyTable = createStore<readonly KeyBinding[]>([]);

/** Binds keys while the component is mounted; the newest binding of a key wins. */
export function useKeys(bindings: KeyBinding[]): void {
  const latest = useRef(bindings);
  latest.current = bindings;
  const shape = bindings.map((b) => `${b.keys}\t${b.title}`).join("\n");
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shape` represents the bindings; their functions are read when a key is pressed
  useEffect(() => {
    const own = latest.current.map((binding, index) => ({
      ...binding,
      run: (event: KeyboardEvent) => latest.current[index]?.run(event),
    }));
    keyTable.set((table) => [...own, ...table]);
    return () => keyTable.set((table) => table.filter((binding) => !own.includes(binding)));
  }, [shape]);
}

const SEQUENCE_MS = 900;

/** Starts listening; returns the function that stops. */
export function listenToKeys(target: Window = window): () => void {
  let before = "";
  let beforeAt = 0;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || isDialogOpen()) return;
    const pressed = keyName(event);
    const sequence = event.timeStamp - beforeAt < SEQUENCE_MS ? `${before} ${pressed}` : "";
    const typing = isField(event.target);
    const usable = keyTable.get().filter((b) => !typing || b.inFields === true);
    // "g w" must not start what "w" alone does on the page that is open.
    const binding = usable.find((b) => b.keys === sequence) ?? usable.find((b) => b.keys === pressed);
    [before, beforeAt] = binding || typing ? ["", 0] : [pressed, event.timeStamp];
    if (!binding) return;
    event.preventDefault();
    binding.run(event);
  };
  target.addEventListener("keydown", onKeyDown);
  return () => target.removeEventListener("keydown", onKeyDown);
}

function keyName(event: KeyboardEvent): string {
  const key = event.key === " " ? "space" : event.key.length === 1 ? event.key.toLowerCase() : event.key;
  // For "?" and capital letters shift is part of the character; for arrows and other named keys it is a modifier.
  const shift = event.shiftKey && event.key.length > 1 ? "shift+" : "";
  return `${event.ctrlKey || event.metaKey ? "ctrl+" : ""}${event.altKey ? "alt+" : ""}${shift}${key}`;
}

/** While a dialog or popover is open, shortcuts are off. */
function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"][data-state="open"]') !== null;
}

function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName);
}

/** "ctrl+k" → ["Ctrl", "K"], as the sheet prints it. */
export function keyCaps(keys: string): string[] {
  const names: Record<string, string> = {
    ctrl: "Ctrl",
    shift: "Shift",
    alt: "Alt",
    space: "Space",
    ArrowLeft: "←",
    ArrowRight: "→",
  };
  return keys
    .split(/[ +]/)
    .filter(Boolean)
    .map((part) => names[part] ?? (part.length === 1 ? part.toUpperCase() : part));
}
