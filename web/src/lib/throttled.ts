/** Limits how often something is done: calls that come too soon are done later, together, and the last is never lost. */
export interface Throttled {
  ask: () => void;
  /** Forgets what was asked for and is not done yet. */
  cancel: () => void;
}

export function throttled(act: () => void, everyMs: number): Throttled {
  let doneAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const doIt = () => {
    timer = undefined;
    doneAt = performance.now();
    act();
  };
  return {
    ask() {
      timer ??= setTimeout(doIt, Math.max(0, doneAt + everyMs - performance.now()));
    },
    cancel() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
