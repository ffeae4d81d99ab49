/** The colour at the edge of a picture, for the margins next to it. */

type Source = CanvasImageSource;
type Pen = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** Returns a function that reads the mean colour of a picture's left edge; null where the browser cannot tell. */
export function edgeReader(): (source: Source, height: number) => string | null {
  const pen = onePixel();
  return (source, height) => {
    if (pen === null) return null;
    try {
      // The browser scales the column down to one pixel: its mean.
      pen.drawImage(source, 0, 0, 1, height, 0, 0, 1, 1);
      const [red, green, blue] = pen.getImageData(0, 0, 1, 1).data;
      return `rgb(${red} ${green} ${blue})`;
    } catch {
      return null;
    }
  };
}

/** The edge of the picture is looked at this often: it rarely changes. */
const EDGE_MS = 1_000;

/** The colour of the edge as pictures follow each other. */
export class EdgeWatch<P> {
  colour: string | null = null;
  private lookedAt = -Infinity;

  constructor(private readonly parts: { edge: (picture: P) => string | null; now: () => number }) {}

  see(picture: P): string | null {
    const now = this.parts.now();
    if (now - this.lookedAt < EDGE_MS) return this.colour;
    this.lookedAt = now;
    this.colour = this.parts.edge(picture);
    return this.colour;
  }
}

function onePixel(): Pen | null {
  const options = { alpha: false, willReadFrequently: true };
  if (typeof OffscreenCanvas !== "undefined") return new OffscreenCanvas(1, 1).getContext("2d", options);
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  return canvas.getContext("2d", options) as CanvasRenderingContext2D | null;
}
