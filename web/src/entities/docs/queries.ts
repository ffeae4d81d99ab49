/** The docs are files of the page, not answers of the API; queries keep what was loaded. */
import { queryOptions } from "@tanstack/react-query";
import { chunk, patiently } from "@/lib/chunks";

const loadIndex = chunk(() => import("virtual:docs"));
const FOREVER = { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY };

export const docsQuery = queryOptions({ queryKey: ["docs"], queryFn: loadIndex, ...FOREVER });

/** Null for a page that does not exist. */
export const docQuery = (id: string) =>
  queryOptions({
    queryKey: ["docs", id],
    queryFn: async () => {
      const load = (await loadIndex()).loads[id];
      return load ? (await patiently(load)).tree : null;
    },
    ...FOREVER,
  });
