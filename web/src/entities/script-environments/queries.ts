/** The environments of a captured script, and what each is used for. */
import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { ScriptEnvironment } from "@/api/types";
import { keys } from "@/entities/query-keys";

export const scriptEnvironmentsQuery = (runId: string) =>
  queryOptions({
    queryKey: keys.scriptEnvironments(runId),
    queryFn: async ({ signal }) => {
      const path = { run_id: runId };
      const found = await data(api.GET("/api/runs/{run_id}/environments", { params: { path }, signal }));
      return found.items;
    },
  });

export const putRole = (runId: string, number: number, role: ScriptEnvironment["role"]) =>
  data(
    api.PUT("/api/runs/{run_id}/environments/{number}", {
      params: { path: { run_id: runId, number } },
      body: { role },
    }),
  );

/** What they are used for; the training first, where there is one: its episodes are listed unless others are asked for. */
export const rolesOf = (environments: readonly ScriptEnvironment[]): ScriptEnvironment["role"][] =>
  (["training", "evaluation"] as const).filter((role) => environments.some((one) => one.role === role));

/** "CartPole-v1 × 8" */
export const environmentName = ({ env_id, count }: ScriptEnvironment): string =>
  `${env_id || "unknown"}${count > 1 ? ` × ${count}` : ""}`;
