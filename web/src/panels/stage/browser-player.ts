/** The player's parts as a browser has them; the same in a Worker and on the page. */
import { FramePlayer, type FrameSocket, type StageReport } from "./player";

type AnyCanvas = HTMLCanvasElement | OffscreenCanvas;

export function browserPlayer(
  url: string,
  canvas: AnyCanvas,
  report: (report: StageReport) => void,
): FramePlayer {
  const pen = canvas.getContext("2d", { alpha: false }) as
    | CanvasRenderingContext2D
    | OffscreenCanvasRenderingContext2D;
  return new FramePlayer({
    open: () => new WebSocket(url) as unknown as FrameSocket,
    decode: (jpeg) => createImageBitmap(new Blob([jpeg], { type: "image/jpeg" })),
    draw(picture) {
      if (canvas.width !== picture.width) canvas.width = picture.width;
      if (canvas.height !== picture.height) canvas.height = picture.height;
      pen.drawImage(picture as ImageBitmap, 0, 0);
    },
    report,
    now: () => performance.now(),
  });
}
