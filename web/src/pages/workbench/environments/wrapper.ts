/** Whether the code is a wrapper, which is tried around another environment. Pure. */
import type { CodeCheck } from "@/api/types";

/** As in worker/environments/own_check.py. */
export const USUALLY_WRAPPED = "CartPole-v1";

/** A wrapper has no entry in the catalogue, and neither has an environment that cannot be made: the text decides. */
export const isWrapper = (source: string, check: CodeCheck | null): boolean =>
  !check?.environment && /^\s*class\s+\w+\s*\([^)]*Wrapper\b/m.test(source);
