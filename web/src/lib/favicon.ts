/** The tab's icon as a ring that fills with progress; the plain icon when nothing runs. */
const SIZE = 32;

/** `fraction` null: the plain icon. */
export function showFavicon(fraction: number | null): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (!link) return;
  const drawn = fraction === null ? null : ring(Math.min(1, Math.max(0, fraction)));
  link.type = drawn ? "image/png" : "image/svg+xml";
  link.href = drawn ?? "/favicon.svg";
}

function ring(fraction: number): string | null {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIZE;
  const pen = canvas.getContext?.("2d");
  if (!pen) return null;
  const arc = (to: number, colour: string) => {
    pen.beginPath();
    pen.arc(SIZE / 2, SIZE / 2, 11, -Math.PI / 2, -Math.PI / 2 + to * 2 * Math.PI);
    pen.strokeStyle = colour;
    pen.lineWidth = 7;
    pen.stroke();
  };
  arc(1, "#9aa0ab66");
  arc(fraction, "#2f9e5f");
  return canvas.toDataURL("image/png");
}
