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

/** Up to the size of the old consoles' screens, pixels are drawn with sharp edges. */
const SMALL = { width: 320, height: 240 };
const ENLARGED_BY = 4;

/** The browser would blur a small picture that fills the stage; one that is large already is left to it. */
export const enlargedBy = ({ width, height }: Pick<Picture, "width" | "height">): number =>
  width <= SMALL.width && height <= SMALL.height ? ENLARGED_BY : 1;

export function painterOn(canvas: HTMLCanvasElement | OffscreenCanvas): Painter & EdgeReader {
  const pen = canvas.getContext("2d", { alpha: false }) as
    | CanvasRenderingContext2D
    | OffscreenCanvasRenderingContext2D;
  const readEdge = edgeReader();
  return {
    edge: (picture) => readEdge(picture as ImageBitmap, picture.height),
    decode: (jpeg) => createImageBitmap(new Blob([jpeg], { type: "image/jpeg" })),
    draw(picture) {
      const scale = enlargedBy(picture);
      const [width, height] = [picture.width * scale, picture.height * scale];
      if (canvas.width !== width) canvas.width = width;
      if (canvas.height !== height) canvas.height = height;
      // Setting the size of a canvas resets its pen.
      pen.imageSmoothingEnabled = false;
      pen.drawImage(picture as ImageBitmap, 0, 0, width, height);
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
