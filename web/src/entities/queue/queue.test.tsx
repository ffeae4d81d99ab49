import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderHook, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { Live } from "@/api/live";
import type { QueueState, Run } from "@/api/types";
import { live } from "@/api/use-live";
import { keys } from "@/entities/query-keys";
import { useLiveQueue } from "./use-live-queue";
import { queueText, slotsText } from "./words";

const state: QueueState = {
  paused: false,
  training_slots: 2,
  job_slots: 1,
  default_training_slots: 2,
  default_job_slots: 1,
  max_slots: 256,
  running: [
    { run_id: "a", name: "a", kind: "train", priority: 0, study_id: null },
    { run_id: "b", name: "b", kind: "evaluate", priority: 0, study_id: null },
  ],
  waiting: [],
};

test("the header says how many run and wait, and nothing when none do", () => {
  expect(queueText(state)).toBe("2 running");
  const one = {
    run_id: "c",
    name: "c",
    kind: "train" as const,
    priority: 0,
    study_id: null,
    place: 1,
    reason: "",
  };
  expect(queueText({ ...state, waiting: [one, one, one, one] })).toBe("2 running, 4 waiting");
  expect(queueText({ running: [], waiting: [] })).toBeNull();
});

test("slots are counted by what they are for", () => {
  expect(slotsText(state)).toBe("1 of 2 slots for trainings in use, 1 of 1 for evaluations and other jobs");
});

test("the queue is asked for again when a run changes its status, not with every tick", async () => {
  const client = new QueryClient();
  const asked = vi.spyOn(client, "invalidateQueries");
  let deliver: Parameters<Live["subscribe"]>[2] = () => {};
  vi.spyOn(live, "subscribe").mockImplementation((_topic, _since, onBatch) => {
    deliver = onBatch;
    return () => {};
  });
  renderHook(useLiveQueue, {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
  const send = (status: Run["status"]) =>
    deliver({ topic: "runs", cursor: null, items: [{ id: "a", status }] });
  send("queued");
  await waitFor(() => expect(asked).toHaveBeenCalledTimes(1));
  send("queued");
  send("running");
  await waitFor(() => expect(asked).toHaveBeenCalledTimes(2));
  expect(asked).toHaveBeenLastCalledWith({ queryKey: keys.queue });
});
