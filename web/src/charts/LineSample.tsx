/** A short piece of a line, as it is drawn in the chart. */
export function LineSample({ colour, dash }: { colour: string; dash?: number[] }) {
  return (
    <svg width={22} height={8} aria-hidden="true" className="shrink-0">
      <line x1={1} x2={21} y1={4} y2={4} stroke={colour} strokeWidth={2} strokeDasharray={dash?.join(" ")} />
    </svg>
  );
}
