/** The replay's parts as a browser has them; the same in a Worker and on the page. */
import type { FrameSocket } from "@/panels/stage/player";
import type { News } from "./messages";
import { ReplayPlayer } from "./player";

export function browserReplay(
  url: string,
  canvas: HTMLCanvasElement | OffscreenCanvas,
  report: (news: News) => void,
): ReplayPlayer {
  const pen = canvas.getContext("2d", { alpha: false }) as
    | CanvasRenderingContext2D
    | OffscreenCanvasRenderingContext2D;
  return new ReplayPlayer({
    open: (step) => new WebSocket(`${url}?step=${step}`) as unknown as FrameSocket,
    decode: (jpeg) => createImageBitmap(new Blob([jpeg], { type: "image/jpeg" })),
    draw(picture) {
      if (canvas.width !== picture.width) canvas.width = picture.width;
      if (canvas.height !== picture.height) canvas.height = picture.height;
      pen.drawImage(picture as ImageBitmap, 0, 0);
    },
    report,
  });
}
