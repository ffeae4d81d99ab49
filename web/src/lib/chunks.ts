/**
 * Code that is loaded when it is needed. While the lab does not respond, loading waits instead of failing, and
 * continues by itself: the page must never reload into the browser's own error.
 */
import { createStore } from "./store";

/** How many chunks wait for the lab right now. */
export const waitingChunks = createStore(0);

type Load<T> = () => Promise<T>;
const all: Load<unknown>[] = [];

export interface ChunkWorld {
  /** Whether the lab responds. */
  isBack: () => Promise<boolean>;
  pause: () => Promise<void>;
  /** The lab responds but the file is gone: another version of the page is installed. */
  reload: (reason: string) => boolean;
}

/** For `lazy` and routes: `lazy(chunk(() => import("./Part")))`. */
export function chunk<T>(load: Load<T>, world: ChunkWorld = browser): Load<T> {
  all.push(load);
  return () => patiently(load, world);
}

/** The same for what is not worth fetching ahead. */
export function patiently<T>(load: Load<T>, world: ChunkWorld = browser): Promise<T> {
  return load().catch((error: Error) => loadLater(load, error, world));
}

async function loadLater<T>(load: Load<T>, first: Error, world: ChunkWorld): Promise<T> {
  waitingChunks.set((n) => n + 1);
  try {
    while (!(await world.isBack())) await world.pause();
    return await load().catch((error: Error) => {
      if (world.reload(first.message)) return new Promise<never>(() => {});
      throw error;
    });
  } finally {
    waitingChunks.set((n) => n - 1);
  }
}

/** Loads every chunk once the browser has nothing else to do, so that pages open without the lab too. */
export function fetchAhead(index = 0): void {
  const load = all[index];
  if (!load) {
    document.documentElement.dataset.pages = "loaded";
    return;
  }
  const proceed = () => fetchAhead(index + 1);
  const later = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 200));
  later(() => void load().then(proceed, proceed));
}

const RELOADED = "rl-lab.reloaded-for";

const browser: ChunkWorld = {
  isBack: () =>
    fetch("/api/health", { cache: "no-store" }).then(
      (response) => response.ok,
      () => false,
    ),
  pause: () => new Promise((done) => setTimeout(done, 1_500)),
  reload: (reason) => {
    if (sessionStorage.getItem(RELOADED) === reason) return false;
    sessionStorage.setItem(RELOADED, reason);
    window.location.reload();
    return true;
  },
};
