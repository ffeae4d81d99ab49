/** Limits how many pictures load at once: the lab renders one at a time, and a browser has six connections in total. */
const AT_ONCE = 2;

type Start = () => void;

export class LoadQueue {
  private waiting: Start[] = [];
  private loading = 0;

  constructor(private readonly atOnce: number = AT_ONCE) {}

  /** Calls `start` when it is its turn; call the returned function when loaded, failed, or no longer needed. */
  ask(start: Start): () => void {
    let state: "waiting" | "loading" | "done" = "waiting";
    const begin = () => {
      state = "loading";
      this.loading++;
      start();
    };
    this.waiting.push(begin);
    this.next();
    return () => {
      if (state === "waiting") this.waiting = this.waiting.filter((other) => other !== begin);
      if (state === "loading") this.loading--;
      state = "done";
      this.next();
    };
  }

  private next(): void {
    while (this.loading < this.atOnce && this.waiting.length > 0) this.waiting.shift()!();
  }
}

export const thumbnailQueue = new LoadQueue();
