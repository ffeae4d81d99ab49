/** Defaults of all queries. Live messages keep answers fresh, so there is little polling and refetching. */
import { QueryClient } from "@tanstack/react-query";
import { ProblemError } from "@/api/problem";
import { toastProblem } from "@/ui/toasts";

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The lab may be on this machine, so what the browser thinks of the network says nothing about it.
      networkMode: "always",
      staleTime: 10_000,
      refetchOnWindowFocus: false,
      // Retries only when the lab does not respond; an error response would be the same again.
      retry: (count, error) => error instanceof ProblemError && error.status === 0 && count < 5,
      retryDelay: (count) => Math.min(5_000, 500 * 2 ** count),
    },
    // Never paused: an action that fails now must not happen by itself minutes later.
    mutations: { networkMode: "always", retry: false, onError: toastProblem },
  },
});
