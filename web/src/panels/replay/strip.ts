/** The strip under a replay: rewards as pale bars around zero, each ending in its full colour, the policy's value as a line, one column per pixel. Pure. */

export interface StripColumn {
  low: number;
  high: number;
}

/** Lowest and highest reward of the steps behind each pixel; zero is always included, so that bars have a base. */
export function columnsOf(rewards: readonly number[], width: number): StripColumn[] {
  const count = Math.max(1, rewards.length);
  return Array.from({ length: width }, (_, x) => {
    const from = Math.floor((x * count) / width);
    const to = Math.max(from + 1, Math.floor(((x + 1) * count) / width));
    const slice = rewards.slice(from, to);
    return { low: Math.min(0, ...slice), high: Math.max(0, ...slice) };
  });
}

export function extentOf(values: readonly (number | null)[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value === null || !Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low > high ? [0, 1] : low === high ? [low - 1, high + 1] : [low, high];
}

export interface StripColours {
  bar: string;
  negative: string;
  line: string;
}

export function drawStrip(
  pen: CanvasRenderingContext2D,
  size: { width: number; height: number },
  rewards: readonly number[],
  values: readonly (number | null)[],
  colours: StripColours,
): void {
  const { width, height } = size;
  pen.clearRect(0, 0, width, height);
  const [low, high] = extentOf([0, ...rewards]);
  const at = (value: number) => ((high - value) / (high - low)) * (height - 2) + 1;
  columnsOf(rewards, width).forEach((column, x) => {
    drawBar(pen, x, at(column.high), at(0), colours.bar);
    drawBar(pen, x, at(column.low), at(0), colours.negative);
  });
  drawValues(pen, size, values, colours.line);
}

const PALE = 0.4;
const CAP_PX = 2;

/** Pale, or the same reward in every step would be one dark block behind the line. */
function drawBar(pen: CanvasRenderingContext2D, x: number, end: number, zero: number, colour: string): void {
  if (end === zero) return;
  pen.fillStyle = colour;
  pen.globalAlpha = PALE;
  pen.fillRect(x, Math.min(end, zero), 1, Math.abs(zero - end));
  pen.globalAlpha = 1;
  pen.fillRect(x, end < zero ? end : end - CAP_PX, 1, CAP_PX);
}

/** On its own scale: values are sums of many rewards. */
function drawValues(
  pen: CanvasRenderingContext2D,
  { width, height }: { width: number; height: number },
  values: readonly (number | null)[],
  colour: string,
): void {
  const [low, high] = extentOf(values);
  pen.strokeStyle = colour;
  pen.lineWidth = 1.5;
  pen.beginPath();
  let isDown = false;
  values.forEach((value, i) => {
    if (value === null) {
      isDown = false;
      return;
    }
    const x = (i / Math.max(1, values.length - 1)) * width;
    const y = ((high - value) / (high - low)) * (height - 6) + 3;
    if (isDown) pen.lineTo(x, y);
    else pen.moveTo(x, y);
    isDown = true;
  });
  pen.stroke();
}
