/** Decoding and drawing pictures as a browser does it; the same in a Worker and on the page. */
import { edgeReader } from "./edge";

export interface Picture {
  width: number;
  height: number;
  close(): void;
}

export interface Painter {
  decode: (jpeg: Uint8Array<ArrayBuffer>) => Promise<Picture>;
  draw: (picture: Picture) => void;
}

export interface EdgeReader {
  /** The colour at the edge of the picture; null where the browser cannot tell. */
  edge: (picture: Picture) => string | null;
}

export function painterOn(canvas: HTMLCanvasElement | OffscreenCanvas): Painter & EdgeReader {
  const pen = canvas.getContext("2d", { alpha: false }) as
    | CanvasRenderingContext2D
    | OffscreenCanvasRenderingContext2D;
  const readEdge = edgeReader();
  return {
    edge: (picture) => readEdge(picture as ImageBitmap, picture.height),
    decode: (jpeg) => createImageBitmap(new Blob([jpeg], { type: "image/jpeg" })),
    draw(picture) {
      if (canvas.width !== picture.width) canvas.width = picture.width;
      if (canvas.height !== picture.height) canvas.height = picture.height;
      pen.drawImage(picture as ImageBitmap, 0, 0);
    },
  };
}

export function canDrawInWorker(canvas: HTMLCanvasElement): boolean {
  return (
    typeof Worker !== "undefined" &&
    typeof OffscreenCanvas !== "undefined" &&
    "transferControlToOffscreen" in canvas
  );
}
