/** Starts a player for a canvas: in a Worker where the browser can draw there, else on the page. */
import { canDrawInWorker } from "./canvas";
import { framePlayer, type StageReport } from "./player";
import type { ToWorker } from "./stage-worker";

export interface Playing {
  setHidden(isHidden: boolean): void;
  /** A wish for the one who draws: {op: "pause"}, {op: "seek", step: 12}. */
  say(wish: object): void;
  stop(): void;
}

export function play(url: string, canvas: HTMLCanvasElement, report: (report: StageReport) => void): Playing {
  return canDrawInWorker(canvas) ? playInWorker(url, canvas, report) : playOnPage(url, canvas, report);
}

function playInWorker(
  url: string,
  canvas: HTMLCanvasElement,
  report: (report: StageReport) => void,
): Playing {
  const worker = new Worker(new URL("./stage-worker.ts", import.meta.url), { type: "module" });
  const tell = (message: ToWorker, transfer: Transferable[] = []) => worker.postMessage(message, transfer);
  worker.onmessage = ({ data }: MessageEvent<StageReport>) => report(data);
  const offscreen = canvas.transferControlToOffscreen();
  tell({ op: "play", url, canvas: offscreen }, [offscreen]);
  return {
    setHidden: (isHidden) => tell({ op: "hidden", isHidden }),
    say: (wish) => tell({ op: "say", wish }),
    stop: () => tell({ op: "stop" }),
  };
}

function playOnPage(url: string, canvas: HTMLCanvasElement, report: (report: StageReport) => void): Playing {
  const player = framePlayer(url, canvas, report);
  player.start();
  return player;
}
