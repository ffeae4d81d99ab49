/** Limits how often a function runs: calls that come too soon are combined and run later; none is lost. */
export interface Throttled {
  ask: () => void;
  /** Cancels the call that is still waiting. */
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
