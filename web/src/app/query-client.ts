/** How questions to the lab behave: live news keeps answers fresh, so nothing is polled and little asked twice. */
import { QueryClient } from "@tanstack/react-query";
import { ProblemError } from "@/api/problem";
import { toastProblem } from "@/ui/toasts";

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      refetchOnWindowFocus: false,
      // Only a lab that does not answer is worth asking again; a refusal stays a refusal.
      retry: (count, error) => error instanceof ProblemError && error.status === 0 && count < 5,
      retryDelay: (count) => Math.min(5_000, 500 * 2 ** count),
    },
    mutations: { onError: toastProblem },
  },
});
