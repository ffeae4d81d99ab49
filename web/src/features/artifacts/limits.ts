/** How many files of a kind the lab keeps, from its settings. */
import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { Limits } from "./retention";

export const limitsQuery = queryOptions({
  queryKey: ["limits"],
  queryFn: async ({ signal }): Promise<Limits> => {
    const settings = await data(api.GET("/api/settings", { signal }));
    const entries = settings.map((setting) => [setting.name, setting.value] as const);
    return Object.fromEntries(entries.filter(([, value]) => typeof value === "number")) as Limits;
  },
  staleTime: 300_000,
});
