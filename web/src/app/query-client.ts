/** Defaults of all queries. Live messages keep answers fresh, so there is little polling and refetching. */
import { QueryClient } from "@tanstack/react-query";
import { ProblemError } from "@/api/problem";
import { toastProblem } from "@/ui/toasts";

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      refetchOnWindowFocus: false,
      // Retries only when the lab does not respond; an error response would be the same again.
      retry: (count, error) => error instanceof ProblemError && error.status === 0 && count < 5,
      retryDelay: (count) => Math.min(5_000, 500 * 2 ** count),
    },
    mutations: { onError: toastProblem },
  },
});
