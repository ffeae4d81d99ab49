/** Colours for low to high values: one order of lightness, so that it also reads in grey. */
const LIGHT = ["#c9d3df", "#85b2d6", "#3a7fb8", "#12406b"];
const DARK = ["#33404f", "#3a6f99", "#5fb0dd", "#d9f1ff"];

/** `share` from 0 to 1; the best values have the strongest contrast with the page. */
export function rampColour(share: number, isDark: boolean): string {
  const stops = isDark ? DARK : LIGHT;
  const at = Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0)) * (stops.length - 1);
  const low = Math.min(stops.length - 2, Math.floor(at));
  const mix = [1, 3, 5].map((i) => {
    const [from, to] = [stops[low]!, stops[low + 1]!].map((stop) =>
      Number.parseInt(stop.slice(i, i + 2), 16),
    );
    return Math.round(from! + (to! - from!) * (at - low));
  });
  return `rgb(${mix.join(" ")})`;
}
