/** Remarks about the code as the editor marks them. Pure. */
import type { CodeRemark } from "@/api/types";

export interface Mark {
  from: number;
  to: number;
  severity: "error" | "warning" | "info";
  message: string;
}

/** Each remark marks its line without the indentation, or the last line where its own is gone. Those about the whole file mark none. */
export function marksOf(code: string, remarks: readonly CodeRemark[]): Mark[] {
  const lines = code.split("\n");
  const starts: number[] = [];
  let at = 0;
  for (const line of lines) {
    starts.push(at);
    at += line.length + 1;
  }
  const marks = remarks.flatMap(({ line, level, message }): Mark[] => {
    if (line === null) return [];
    const i = Math.min(Math.max(1, line), lines.length) - 1;
    const text = lines[i]!;
    const indent = text.length - text.trimStart().length;
    const from = starts[i]! + (indent === text.length ? 0 : indent);
    return [{ from, to: Math.max(from, starts[i]! + text.trimEnd().length), severity: level, message }];
  });
  return marks.sort((a, b) => a.from - b.from);
}
