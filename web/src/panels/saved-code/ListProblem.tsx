/** That a list could not be loaded, where it would look like an empty one. */
import type { UseQueryResult } from "@tanstack/react-query";
import { LoadFailed } from "@/ui/states";

export interface ListProblemProps {
  /** What the list has: "runs". */
  what: string;
  query: Pick<UseQueryResult, "isLoadingError" | "error" | "refetch">;
}

export function ListProblem({ what, query }: ListProblemProps) {
  if (!query.isLoadingError) return null;
  return <LoadFailed what={what} error={query.error} onRetry={() => void query.refetch()} />;
}
