/** The reward bench as the lab streams it: one message per line. */
import { api, data } from "@/api/client";
import { withoutDirections } from "@/api/plain-text";
import type { BenchMessage, BenchRequest, BenchReward, EpisodeTimeline } from "@/api/types";

/** Ends when the lab has sent everything; `signal` ends it earlier, also in the lab. */
export async function* benchMessages(body: BenchRequest, signal: AbortSignal): AsyncGenerator<BenchMessage> {
  const { data: stream } = await api.POST("/api/rewards/bench", { body, signal, parseAs: "stream" });
  for await (const line of linesOf(stream as ReadableStream<Uint8Array>)) yield messageOf(line);
}

export const CUT_OFF = "The lab ended the answer before it was complete. Start the bench again.";

/** A line that is no message was cut off in its middle. */
export function messageOf(line: string): BenchMessage {
  try {
    return JSON.parse(withoutDirections(line)) as BenchMessage;
  } catch {
    throw new Error(CUT_OFF);
  }
}

/** The lines of a stream that arrives in pieces of any size; empty ones are left out. */
export async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      rest += decoder.decode(value, { stream: !done });
      const lines = rest.split("\n");
      rest = done ? "" : lines.pop()!;
      yield* lines.filter((line) => line.trim() !== "");
      if (done) return;
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

/** One recorded episode under these rewards, step by step. */
export const rewardTerms = (
  runId: string,
  episode: number,
  rewards: BenchReward[],
  signal?: AbortSignal,
): Promise<EpisodeTimeline> =>
  data(
    api.POST("/api/runs/{run_id}/episodes/{episode}/reward-terms", {
      params: { path: { run_id: runId, episode } },
      body: { rewards },
      signal,
    }),
  );
