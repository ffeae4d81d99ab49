/** Whether the person asked the system for less motion: then nothing starts to play by itself. */
export const prefersReducedMotion = (): boolean =>
  window.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;
