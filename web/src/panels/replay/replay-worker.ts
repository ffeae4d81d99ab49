/** The Worker that receives, decodes and draws a replay, so that the page's main thread does none of it. */
import type { Command, ReplayEvent } from "./messages";
import { type ReplayPlayer, replayPlayer } from "./player";

export type ToWorker =
  | { op: "start"; url: string; canvas: OffscreenCanvas; step: number }
  | { op: "command"; command: Command }
  | { op: "stop" };

let player: ReplayPlayer | null = null;

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if (data.op === "start") {
    player = replayPlayer(data.url, data.canvas, (event: ReplayEvent) => self.postMessage(event));
    player.start(data.step);
  } else if (data.op === "command") {
    player?.send(data.command);
  } else {
    player?.stop();
    self.close();
  }
};
