/** Starts a player for a canvas: in a Worker where the browser can draw there, else on the page. */
import { canDrawInWorker } from "./canvas";
import { framePlayer, type StageReport } from "./player";
import type { ToWorker } from "./stage-worker";

export interface Playing {
  setHidden(isHidden: boolean): void;
  /** Sends a command to the source of the frames: {op: "pause"}, {op: "seek", step: 12}. */
  send(command: object): void;
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
  const post = (message: ToWorker, transfer: Transferable[] = []) => worker.postMessage(message, transfer);
  worker.onmessage = ({ data }: MessageEvent<StageReport>) => report(data);
  const offscreen = canvas.transferControlToOffscreen();
  post({ op: "play", url, canvas: offscreen }, [offscreen]);
  return {
    setHidden: (isHidden) => post({ op: "hidden", isHidden }),
    send: (command) => post({ op: "command", command }),
    stop: () => post({ op: "stop" }),
  };
}

function playOnPage(url: string, canvas: HTMLCanvasElement, report: (report: StageReport) => void): Playing {
  const player = framePlayer(url, canvas, report);
  player.start();
  return player;
}
