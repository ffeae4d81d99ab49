/** Scripts from outside the lab: what a command would run, and which files may run. */
import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import { ProblemError } from "@/api/problem";
import type { CommandPreview, Consent, NewRun } from "@/api/types";
import { keys } from "@/entities/query-keys";

/** What would run; this does not run it. */
export const previewCommand = (wanted: NewRun): Promise<CommandPreview> =>
  data(api.POST("/api/commands/preview", { body: wanted }));

/** The script has not been approved in its current version. */
export const isConsentNeeded = (error: unknown): boolean =>
  error instanceof ProblemError && error.problem.type === "urn:rl-lab:consent-needed";

export const consentsQuery = queryOptions({
  queryKey: keys.consents,
  queryFn: ({ signal }) => data(api.GET("/api/consents", { signal })),
});

export const withdrawConsent = ({ sha256 }: Consent) =>
  data(api.DELETE("/api/consents/{sha256}", { params: { path: { sha256 } } }));
