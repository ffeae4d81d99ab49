/** Who acted in each step of an episode that a person played: 1 person, 0 agent; others are not known. Pure. */

export interface WhoSpan {
  /** The first step of the span, counted from 0, and the one after its last. */
  from: number;
  to: number;
  who: number;
}

/** Steps in a row by the same. */
export function whoSpans(who: readonly number[]): WhoSpan[] {
  const spans: WhoSpan[] = [];
  who.forEach((one, step) => {
    const last = spans.at(-1);
    if (last?.who === one) last.to = step + 1;
    else spans.push({ from: step, to: step + 1, who: one });
  });
  return spans.filter((span) => span.who === 0 || span.who === 1);
}

export const WHO_WORDS: Record<number, string> = { 0: "agent", 1: "person" };

const BAND_PX = 5;

/** A band at the bottom of the strip. */
export function drawWho(
  pen: CanvasRenderingContext2D,
  { width, height }: { width: number; height: number },
  who: readonly number[],
  colours: { person: string; agent: string },
): void {
  const at = (step: number) => Math.round((step / Math.max(1, who.length)) * width);
  for (const span of whoSpans(who)) {
    pen.fillStyle = span.who === 1 ? colours.person : colours.agent;
    pen.fillRect(at(span.from), height - BAND_PX, Math.max(1, at(span.to) - at(span.from)), BAND_PX);
  }
}
