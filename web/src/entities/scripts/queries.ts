import { api, data } from "@/api/client";
import { ProblemError } from "@/api/problem";
import type { CommandPreview, NewRun } from "@/api/types";

/** What would run; nothing does. */
export const previewCommand = (wanted: NewRun): Promise<CommandPreview> =>
  data(api.POST("/api/commands/preview", { body: wanted }));

/** The lab wants somebody's word first. */
export const isConsentNeeded = (error: unknown): boolean =>
  error instanceof ProblemError && error.problem.type === "urn:rl-lab:consent-needed";
