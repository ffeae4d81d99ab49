/** Opens a replay for a canvas: in a Worker where the browser can draw there, else on the page. */
import { canDrawInWorker } from "@/panels/stage/canvas";
import type { News, Wish } from "./messages";
import { replayPlayer } from "./player";
import type { ToWorker } from "./replay-worker";

export interface OpenReplay {
  wish(wish: Wish): void;
  stop(): void;
}

export function openReplay(
  url: string,
  canvas: HTMLCanvasElement,
  step: number,
  report: (news: News) => void,
): OpenReplay {
  if (!canDrawInWorker(canvas)) {
    const player = replayPlayer(url, canvas, report);
    player.start(step);
    return player;
  }
  const worker = new Worker(new URL("./replay-worker.ts", import.meta.url), { type: "module" });
  const tell = (message: ToWorker, transfer: Transferable[] = []) => worker.postMessage(message, transfer);
  worker.onmessage = ({ data }: MessageEvent<News>) => report(data);
  const offscreen = canvas.transferControlToOffscreen();
  tell({ op: "start", url, canvas: offscreen, step }, [offscreen]);
  return { wish: (wish) => tell({ op: "wish", wish }), stop: () => tell({ op: "stop" }) };
}
