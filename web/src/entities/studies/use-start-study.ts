/** Starts a study of one configuration with several seeds. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { NewRun, Study } from "@/api/types";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";

/** A number: so many seeds are drawn. */
export type Seeds = number | number[];

export interface WantedStudy {
  run: NewRun;
  seeds: Seeds;
}

export function useStartStudy(
  onStarted: (study: Study) => void,
  onError: (error: unknown, wanted: WantedStudy) => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ run, seeds }: WantedStudy) => {
      // The study itself has the name, the tags and the seeds; its runs are named after what differs.
      const { seed: _seed, name, tags, priority, start: _start, ...base } = run;
      return data(
        api.POST("/api/studies", {
          body: { base, seeds, name: name ?? null, tags: tags ?? [], priority: priority ?? 0, start: true },
        }),
      );
    },
    onSuccess(study) {
      void refresh(client, keys.runs);
      onStarted(study);
    },
    onError,
  });
}
