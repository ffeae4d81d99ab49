/**
 * What a person holds now, from every source: keyboard, buttons on the screen, mouse, gamepad. It is sent at each
 * change and at once, outside of React: a press and a release are two messages, however close they are.
 */

/** What one source holds. */
export interface Grip {
  keys?: readonly string[];
  /** By number of the action's axis, from −1 to 1. */
  axes?: Readonly<Record<number, number>>;
}

export interface HeldNow {
  op: "held";
  keys: string[];
  axes: Record<number, number>;
}

/** As many keys as the lab accepts in one message. */
const MOST_KEYS = 32;

export class Hands {
  private readonly grips = new Map<string, Grip>();
  private readonly watchers = new Set<(held: HeldNow) => void>();
  private sent = NOTHING;

  constructor(private readonly send: (held: HeldNow) => void) {}

  /** `source` holds this from now on; null: nothing. */
  hold(source: string, grip: Grip | null): void {
    if (grip === null) this.grips.delete(source);
    else this.grips.set(source, grip);
    this.tell();
  }

  /** Lets go of everything; whether something was held. */
  releaseAll(): boolean {
    const wasHeld = this.sent !== NOTHING;
    this.grips.clear();
    this.tell();
    return wasHeld;
  }

  /** After a lost connection the lab may still have what was held before it. */
  sendAgain(): void {
    this.sent = "";
    this.tell();
  }

  /** For what shows on the screen what is held; returns the function that ends it. */
  watch(watcher: (held: HeldNow) => void): () => void {
    this.watchers.add(watcher);
    return () => void this.watchers.delete(watcher);
  }

  private tell(): void {
    const held = heldOf([...this.grips.values()]);
    const text = JSON.stringify(held);
    if (text === this.sent) return;
    this.sent = text;
    this.send(held);
    for (const watcher of this.watchers) watcher(held);
  }
}

/** Keys are added up; of two sources that move one axis, the one further from rest counts. */
export function heldOf(grips: readonly Grip[]): HeldNow {
  const keys = [...new Set(grips.flatMap((grip) => grip.keys ?? []))].slice(0, MOST_KEYS);
  const axes: Record<number, number> = {};
  for (const grip of grips)
    for (const [index, value] of Object.entries(grip.axes ?? {}))
      if (Math.abs(value) >= Math.abs(axes[Number(index)] ?? 0)) axes[Number(index)] = value;
  return { op: "held", keys, axes };
}

const NOTHING = JSON.stringify(heldOf([]));
