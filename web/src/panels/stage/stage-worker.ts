/** The Worker that receives, decodes and draws frames, so that the page's main thread does none of it. */
import { type FramePlayer, framePlayer, type StageReport } from "./player";

export type ToWorker =
  | { op: "play"; url: string; canvas: OffscreenCanvas }
  | { op: "hidden"; isHidden: boolean }
  | { op: "command"; command: object }
  | { op: "stop" };

let player: FramePlayer | null = null;

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if (data.op === "play") {
    player = framePlayer(data.url, data.canvas, (report: StageReport) => self.postMessage(report));
    player.start();
  } else if (data.op === "hidden") {
    player?.setHidden(data.isHidden);
  } else if (data.op === "command") {
    player?.send(data.command);
  } else {
    player?.stop();
    self.close();
  }
};
