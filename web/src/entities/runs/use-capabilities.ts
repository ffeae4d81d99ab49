/** The capabilities of a run's runner; undefined until the runners are loaded. */
import { useQuery } from "@tanstack/react-query";
import type { Run, Runner } from "@/api/types";
import { runnersQuery } from "@/entities/runners/queries";
import { trainConfigOf } from "./words";

export type Capabilities = Partial<Runner["capabilities"]>;

const NONE: Capabilities = {};

export function useCapabilities(run: Run): Capabilities | undefined {
  const runners = useQuery(runnersQuery);
  const config = trainConfigOf(run);
  if (run.source || config === null) return NONE;
  return runners.data?.find((runner) => runner.id === config.runner)?.capabilities;
}
