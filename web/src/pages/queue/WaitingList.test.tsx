import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { QueueState, WaitingEntry } from "@/api/types";
import * as queries from "@/entities/queue/queries";
import { WaitingList } from "./WaitingList";

vi.mock("@tanstack/react-router", () => ({
  Link: ({ children }: { children: React.ReactNode }) => <span>{children}</span>,
}));

const entries: WaitingEntry[] = ["a", "b", "c"].map((run_id, index) => ({
  run_id,
  name: `run ${run_id}`,
  kind: "train",
  priority: 0,
  study_id: null,
  place: index + 1,
  reason: "Waits.",
}));

function show(waiting: WaitingEntry[] = entries) {
  const post = vi.spyOn(queries, "postMove").mockReturnValue(new Promise<QueueState>(() => {}));
  const put = vi.spyOn(queries, "putPriority").mockReturnValue(new Promise<QueueState>(() => {}));
  post.mockClear();
  put.mockClear();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WaitingList entries={waiting} lane="training" />
    </QueryClientProvider>,
  );
  return { post, put };
}

test("arrow keys on the handle move a run by one place, and the move is announced", async () => {
  const { post } = show();
  fireEvent.keyDown(screen.getByLabelText(/^Move run b: place 2 of 3/), { key: "ArrowUp" });
  await vi.waitFor(() => expect(post.mock.calls[0]?.[0]).toEqual({ run_id: "b", to: 1 }));
  expect(screen.getByText("run b is now at place 1 of 3.")).toBeDefined();
});

test("the first run cannot move up, the last one moves to the front with one click", async () => {
  const { post } = show();
  fireEvent.keyDown(screen.getByLabelText(/^Move run a: /), { key: "ArrowUp" });
  expect(screen.getAllByText("Run next")).toHaveLength(2);
  fireEvent.click(screen.getAllByText("Run next")[1]!);
  await vi.waitFor(() => expect(post.mock.calls).toHaveLength(1));
  expect(post.mock.calls[0]?.[0]).toEqual({ run_id: "c", to: 1 });
});

test("a priority is sent when its field is left, and a wrong one is not", async () => {
  const { put } = show();
  const field = screen.getByLabelText("Priority of run a");
  for (const text of ["101", "many", ""]) {
    fireEvent.change(field, { target: { value: text } });
    fireEvent.blur(field);
  }
  expect(put).not.toHaveBeenCalled();
  fireEvent.change(field, { target: { value: "-5" } });
  fireEvent.blur(field);
  await vi.waitFor(() => expect(put.mock.calls[0]?.[0]).toEqual({ run_id: "a", priority: -5 }));
});

test("of thousands of waiting runs, the first fifty are drawn until more are wanted", () => {
  show(Array.from({ length: 60 }, (_, n) => ({ ...entries[0]!, run_id: `r${n}`, place: n + 1 })));
  expect(screen.getAllByRole("listitem")).toHaveLength(50);
  fireEvent.click(screen.getByText("Show more: 10 wait behind these"));
  expect(screen.getAllByRole("listitem")).toHaveLength(60);
});
