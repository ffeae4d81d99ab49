/** Tests an environment; what goes wrong is shown where the test is, not as a toast. */
import { useMutation } from "@tanstack/react-query";
import { runSmokeTest } from "./queries";

export const useSmokeTest = (envId: string) =>
  useMutation({ mutationFn: () => runSmokeTest(envId), onError: () => {} });
