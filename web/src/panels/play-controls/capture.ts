/** Waits for the keys that a person chooses: all that are down together, until all are up again. */

export interface CaptureParts {
  onKeys: (codes: string[]) => void;
  /** Escape and Tab leave without a choice, so that nobody is caught here. */
  onCancel: () => void;
}

const MOST_KEYS = 6;

/** Starts to listen before everything else on the page; returns the function that stops. */
export function captureKeys({ onKeys, onCancel }: CaptureParts, target: Window = window): () => void {
  const down = new Set<string>();
  const chosen: string[] = [];
  const onKeyDown = (event: KeyboardEvent) => {
    const isAway = event.code === "Tab";
    if (!isAway) swallow(event);
    if (event.code === "Escape" || isAway) return onCancel();
    if (event.repeat || event.code === "") return;
    down.add(event.code);
    if (!chosen.includes(event.code) && chosen.length < MOST_KEYS) chosen.push(event.code);
  };
  const onKeyUp = (event: KeyboardEvent) => {
    swallow(event);
    down.delete(event.code);
    if (down.size === 0 && chosen.length > 0) onKeys(chosen);
  };
  target.addEventListener("keydown", onKeyDown, true);
  target.addEventListener("keyup", onKeyUp, true);
  target.addEventListener("blur", onCancel);
  return () => {
    target.removeEventListener("keydown", onKeyDown, true);
    target.removeEventListener("keyup", onKeyUp, true);
    target.removeEventListener("blur", onCancel);
  };
}

function swallow(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}
