/** The lines in which two texts differ. Pure. */
export interface DiffLine {
  kind: "same" | "added" | "removed";
  text: string;
  /** Line numbers, from 1; null on the side that does not have it. */
  before: number | null;
  after: number | null;
}

/** The shortest list of removed and added lines, as `diff` finds it. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const a = before.split("\n");
  const b = after.split("\n");
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const same = (i: number, j: number): DiffLine => ({
    kind: "same",
    text: a[i]!,
    before: i + 1,
    after: j + 1,
  });
  return [
    ...a.slice(0, start).map((_, i) => same(i, i)),
    ...middle(a, b, { start, aEnd: a.length - end, bEnd: b.length - end }),
    ...a.slice(a.length - end).map((_, i) => same(a.length - end + i, b.length - end + i)),
  ];
}

interface Between {
  start: number;
  aEnd: number;
  bEnd: number;
}

function middle(a: readonly string[], b: readonly string[], { start, aEnd, bEnd }: Between): DiffLine[] {
  const longest = commonLengths(a, b, { start, aEnd, bEnd });
  const lines: DiffLine[] = [];
  let [i, j] = [start, start];
  while (i < aEnd || j < bEnd) {
    if (i < aEnd && j < bEnd && a[i] === b[j]) {
      lines.push({ kind: "same", text: a[i]!, before: ++i, after: ++j });
    } else if (i < aEnd && (j === bEnd || longest(i + 1, j) >= longest(i, j + 1))) {
      lines.push({ kind: "removed", text: a[i]!, before: ++i, after: null });
    } else {
      lines.push({ kind: "added", text: b[j]!, before: null, after: ++j });
    }
  }
  return lines;
}

/** How many lines the rests from (i, j) on have in common. Two files of 5,000 other lines would be too much: then 0. */
function commonLengths(a: readonly string[], b: readonly string[], { start, aEnd, bEnd }: Between) {
  const width = bEnd - start + 1;
  const height = aEnd - start + 1;
  if (width * height > 4_000_000) return () => 0;
  const table = new Uint32Array(width * height);
  for (let i = height - 2; i >= 0; i--) {
    for (let j = width - 2; j >= 0; j--) {
      table[i * width + j] =
        a[start + i] === b[start + j]
          ? table[(i + 1) * width + j + 1]! + 1
          : Math.max(table[(i + 1) * width + j]!, table[i * width + j + 1]!);
    }
  }
  return (i: number, j: number): number => table[(i - start) * width + (j - start)]!;
}

/** The changed lines with some unchanged ones around them; a null is a gap. */
export function folded(lines: readonly DiffLine[], around = 3): (DiffLine | null)[] {
  const isNear = lines.map(() => false);
  lines.forEach((line, i) => {
    if (line.kind === "same") return;
    for (let at = Math.max(0, i - around); at <= Math.min(lines.length - 1, i + around); at++)
      isNear[at] = true;
  });
  const shown: (DiffLine | null)[] = [];
  lines.forEach((line, i) => {
    if (isNear[i]) shown.push(line);
    else if (i === 0 || isNear[i - 1]) shown.push(null);
  });
  return shown;
}
