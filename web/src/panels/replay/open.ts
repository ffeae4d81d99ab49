/** Opens a replay for a canvas: in a Worker where the browser can draw there, else on the page. */
import { canDrawInWorker } from "@/panels/stage/canvas";
import type { Command, ReplayEvent } from "./messages";
import { replayPlayer } from "./player";
import type { ToWorker } from "./replay-worker";

export interface OpenReplay {
  send(command: Command): void;
  stop(): void;
}

export function openReplay(
  url: string,
  canvas: HTMLCanvasElement,
  step: number,
  report: (event: ReplayEvent) => void,
): OpenReplay {
  if (!canDrawInWorker(canvas)) {
    const player = replayPlayer(url, canvas, report);
    player.start(step);
    return player;
  }
  const worker = new Worker(new URL("./replay-worker.ts", import.meta.url), { type: "module" });
  const post = (message: ToWorker, transfer: Transferable[] = []) => worker.postMessage(message, transfer);
  worker.onmessage = ({ data }: MessageEvent<ReplayEvent>) => report(data);
  const offscreen = canvas.transferControlToOffscreen();
  post({ op: "start", url, canvas: offscreen, step }, [offscreen]);
  return { send: (command) => post({ op: "command", command }), stop: () => post({ op: "stop" }) };
}
