import { expect, test } from "vitest";
import type { BenchMessage } from "@/api/types";
import { afterMessage, IDLE } from "./state";
import { linesOf, messageOf } from "./stream";

const streamed = (...pieces: Uint8Array[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
const collect = async (stream: ReadableStream<Uint8Array>) => {
  const lines: string[] = [];
  for await (const line of linesOf(stream)) lines.push(line);
  return lines;
};

test("lines are put together from pieces, also in the middle of a character", async () => {
  const bytes = new TextEncoder().encode('{"a":"é"}\n\n{"b":2}\n{"c":3}');
  const pieces = [bytes.slice(0, 7), bytes.slice(7, 12), bytes.slice(12)];
  expect(await collect(streamed(...pieces))).toEqual(['{"a":"é"}', '{"b":2}', '{"c":3}']);
});

test("a line that was cut off is reported as an answer that ended, not in the words of the parser", () => {
  expect(messageOf('{"type":"done","seconds":1}').type).toBe("done");
  expect(() => messageOf('{"type":"episodes","items":[{"run_')).toThrow("The lab ended the answer");
});

test("an empty answer has no lines", async () => {
  expect(await collect(streamed())).toEqual([]);
});

test("a reward that fails does not end the bench; a failure of the bench does", () => {
  const problem = { type: "problem", message: "boom", reward: 0 } as BenchMessage;
  const running = { ...IDLE, phase: "running" } as const;
  expect(afterMessage(running, problem).phase).toBe("running");
  const whole = { type: "problem", message: "boom", reward: null } as BenchMessage;
  expect(afterMessage(running, whole)).toMatchObject({ phase: "failed", problems: [{ message: "boom" }] });
});
