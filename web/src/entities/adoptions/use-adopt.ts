/** Starts to adopt a folder. */
import { useMutation } from "@tanstack/react-query";
import type { AdoptResult } from "@/api/types";
import { adopt } from "./queries";

export const useAdopt = (onStarted: (result: AdoptResult) => void) =>
  useMutation({
    mutationFn: adopt,
    onSuccess: onStarted,
    onError: () => {}, // The dialog shows it.
  });
