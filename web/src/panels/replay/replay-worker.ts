/** The Worker that receives, decodes and draws a replay, so that the page's main thread does none of it. */
import type { News, Wish } from "./messages";
import { type ReplayPlayer, replayPlayer } from "./player";

export type ToWorker =
  | { op: "start"; url: string; canvas: OffscreenCanvas; step: number }
  | { op: "wish"; wish: Wish }
  | { op: "stop" };

let player: ReplayPlayer | null = null;

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if (data.op === "start") {
    player = replayPlayer(data.url, data.canvas, (news: News) => self.postMessage(news));
    player.start(data.step);
  } else if (data.op === "wish") {
    player?.wish(data.wish);
  } else {
    player?.stop();
    self.close();
  }
};
