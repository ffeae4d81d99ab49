/** A study file that was dropped or chosen. Pure but for reading the file. */
import type { NewStudy } from "@/api/types";

const MAX_BYTES = 1_000_000;

export type ReadFile = { study: NewStudy; problem: null } | { study: null; problem: string };

export async function readStudyFile(file: File): Promise<ReadFile> {
  const wrong = (why: string): ReadFile => ({
    study: null,
    problem: `“${file.name}” ${why}. Choose a study file: the JSON that a study exports.`,
  });
  if (file.size > MAX_BYTES) return wrong("is larger than 1 MB");
  try {
    const found: unknown = JSON.parse(await file.text());
    const isStudy = typeof found === "object" && found !== null && "base" in found;
    return isStudy ? { study: found as NewStudy, problem: null } : wrong("has no “base”");
  } catch {
    return wrong("is not JSON");
  }
}
