/** A curve as high as a line of text, next to a number; hidden from screen readers. */
export interface SparklineProps {
  values: readonly (number | null)[];
  width?: number;
  height?: number;
  colour?: string;
}

export function Sparkline({ values, width = 96, height = 24, colour = "currentColor" }: SparklineProps) {
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
      className="block shrink-0"
    >
      <path
        d={sparkPath(values, width, height)}
        fill="none"
        stroke={colour}
        strokeWidth={1.4}
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  );
}

/** Lines between neighbours, gaps where a value is missing, one pixel of room so that no peak is cut. */
export function sparkPath(values: readonly (number | null)[], width: number, height: number): string {
  const known = values.filter((v): v is number => v !== null && Number.isFinite(v));
  if (known.length < 2) return "";
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const span = high - low || 1;
  let path = "";
  let isDown = false;
  values.forEach((value, i) => {
    if (value === null || !Number.isFinite(value)) {
      isDown = false;
      return;
    }
    const x = 1 + (i / (values.length - 1)) * (width - 2);
    const y = high === low ? height / 2 : height - 1.5 - ((value - low) / span) * (height - 3);
    path += `${isDown ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`;
    isDown = true;
  });
  return path;
}
