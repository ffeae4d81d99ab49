/** Lines of equal value through a grid (marching squares). Pure. */

export type Grid = readonly (readonly (number | null)[])[];
type Point = readonly [column: number, row: number];

/** Pieces of the line at `level`, in columns and rows of the grid; squares with an unknown corner have none. */
export function contourAt(grid: Grid, level: number): [Point, Point][] {
  const pieces: [Point, Point][] = [];
  for (let row = 0; row + 1 < grid.length; row++)
    for (let column = 0; column + 1 < grid[row]!.length; column++)
      pieces.push(...piecesIn(grid, column, row, level));
  return pieces;
}

function piecesIn(grid: Grid, column: number, row: number, level: number): [Point, Point][] {
  const corners: Point[] = [
    [column, row],
    [column + 1, row],
    [column + 1, row + 1],
    [column, row + 1],
  ];
  const values = corners.map(([c, r]) => grid[r]![c] ?? null);
  if (values.includes(null)) return [];
  const known = values as number[];
  const crossings = corners.flatMap((from, i) => {
    const [a, b] = [known[i]!, known[(i + 1) % 4]!];
    if (a >= level === b >= level) return [];
    const share = (level - a) / (b - a);
    const to = corners[(i + 1) % 4]!;
    return [[from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share] as const];
  });
  if (crossings.length === 4)
    return [
      [crossings[0]!, crossings[1]!],
      [crossings[2]!, crossings[3]!],
    ];
  return crossings.length === 2 ? [[crossings[0]!, crossings[1]!]] : [];
}

/** Levels that divide a range into equal parts, without its ends. */
export const levelsOf = (low: number, high: number, parts: number): number[] =>
  Array.from({ length: parts - 1 }, (_, i) => low + ((i + 1) / parts) * (high - low));
