/** What the lab says about the fields of a job on datasets. Pure. */
import { ProblemError } from "@/api/problem";

const OPERATIONS = "make|collect|import|split|merge|prune|check|verify|export";
const BEFORE = new RegExp(`^(body\\.)?(operation\\.)?((${OPERATIONS})\\.)?(choose\\.)?`);

/** Messages by field: "operation.make.choose.return_min" → "return_min". A name that is taken has no field of its own. */
export function problemsOf(error: unknown): Record<string, string> {
  if (!(error instanceof ProblemError)) return {};
  const found = (error.problem.errors ?? [])
    .map(({ field, message }) => [field.replace(BEFORE, ""), message] as const)
    .filter(([field]) => field !== "" && field !== "operation");
  if (found.length === 0 && error.status === 409 && /name/i.test(error.message))
    return { name: error.message };
  return Object.fromEntries(found);
}
