/** Requests about saved code: rewards, evaluation code and environments have the same addresses under different names. */
import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type {
  Code,
  CodeCheck,
  CodeExample,
  CodePatch,
  CodeQuestion,
  CodeVersion,
  NewCode,
  NewRun,
} from "@/api/types";
import { keys } from "@/entities/query-keys";

export type SavedKind = "reward" | "evaluation" | "environment";

/** All have the same types, so the client is given those of rewards. */
const PATHS = {
  reward: {
    all: "/api/rewards",
    one: "/api/rewards/{name}",
    version: "/api/rewards/{name}/versions/{version}",
    check: "/api/rewards/check",
    examples: "/api/rewards/examples",
  },
  evaluation: {
    all: "/api/evaluation-codes",
    one: "/api/evaluation-codes/{name}",
    version: "/api/evaluation-codes/{name}/versions/{version}",
    check: "/api/evaluation-codes/check",
    examples: "/api/evaluation-codes/examples",
  },
  environment: {
    all: "/api/own-environments",
    one: "/api/own-environments/{name}",
    version: "/api/own-environments/{name}/versions/{version}",
    check: "/api/own-environments/check",
    examples: "/api/own-environments/examples",
  },
} as const;
const pathsOf = (kind: SavedKind) => PATHS[kind] as (typeof PATHS)["reward"];

/** The one changed last first; `envId`: only what fits that environment. */
export const codesQuery = (kind: SavedKind, envId: string | null = null) =>
  queryOptions<Code[]>({
    queryKey: keys.codesWhere(kind, envId),
    queryFn: ({ signal }) =>
      data(api.GET(pathsOf(kind).all, { params: { query: envId ? { env_id: envId } : {} }, signal })),
  });

export const codeQuery = (kind: SavedKind, name: string) =>
  queryOptions<Code>({
    queryKey: keys.code(kind, name),
    queryFn: ({ signal }) => data(api.GET(pathsOf(kind).one, { params: { path: { name } }, signal })),
  });

export const examplesQuery = (kind: SavedKind, envId: string) =>
  queryOptions<CodeExample[]>({
    queryKey: keys.codeExamples(kind, envId),
    queryFn: ({ signal }) =>
      data(api.GET(pathsOf(kind).examples, { params: { query: envId ? { env_id: envId } : {} }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });

export interface CheckedText {
  /** The text that was tried: its remarks name lines of this one. */
  source: string;
  check: CodeCheck;
}

/** Tries the code in a confined process of the lab. The same text on the same steps gives the same answer. */
export const checkQuery = (kind: SavedKind, body: CodeQuestion) =>
  queryOptions<CheckedText>({
    queryKey: keys.codeCheck(kind, body),
    queryFn: async ({ signal }) => ({
      source: body.source,
      check: await data(api.POST(pathsOf(kind).check, { body, signal })),
    }),
    staleTime: 60_000,
    gcTime: 60_000,
    retry: false,
  });

/** What the reward of a training with these settings does in its environment, and costs of its speed. */
export const rewardCheckQuery = (body: NewRun) =>
  queryOptions<CodeCheck>({
    queryKey: keys.rewardCheck(body),
    queryFn: ({ signal }) => data(api.POST("/api/runs/reward-check", { body, signal })),
    staleTime: 60_000,
    retry: false,
  });

export const saveCode = (kind: SavedKind, body: NewCode): Promise<CodeVersion> =>
  data(api.POST(pathsOf(kind).all, { body }));

export const patchCode = (kind: SavedKind, name: string, body: CodePatch): Promise<Code> =>
  data(api.PATCH(pathsOf(kind).one, { params: { path: { name } }, body }));

export const deleteCode = (kind: SavedKind, name: string): Promise<Code> =>
  data(api.DELETE(pathsOf(kind).one, { params: { path: { name } } }));

export const deleteCodeVersion = (kind: SavedKind, name: string, version: number): Promise<CodeVersion> =>
  data(api.DELETE(pathsOf(kind).version, { params: { path: { name, version } } }));
