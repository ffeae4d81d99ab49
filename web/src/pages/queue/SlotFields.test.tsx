import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { QueueState } from "@/api/types";
import * as queries from "@/entities/queue/queries";
import { SlotFields } from "./SlotFields";

const queue: QueueState = {
  paused: false,
  training_slots: 2,
  job_slots: 1,
  default_training_slots: 4,
  default_job_slots: 1,
  max_slots: 256,
  running: [],
  waiting: [],
};

function typeTrainings(text: string) {
  const put = vi.spyOn(queries, "putSlots").mockResolvedValue(queue);
  put.mockClear();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <SlotFields queue={queue} />
    </QueryClientProvider>,
  );
  const field = screen.getByLabelText("Trainings at once");
  fireEvent.change(field, { target: { value: text } });
  fireEvent.keyDown(field, { key: "Enter" });
  return { put, field };
}

test("a number of slots is sent with Enter", async () => {
  const { put } = typeTrainings(" 8 ");
  await vi.waitFor(() => expect(put.mock.calls[0]?.[0]).toEqual({ training_slots: 8 }));
});

test("an emptied field goes back to the number from the settings", async () => {
  const { put, field } = typeTrainings("");
  await vi.waitFor(() => expect(put.mock.calls[0]?.[0]).toEqual({ training_slots: null }));
  expect(field).toHaveProperty("value", "4");
});

test.each(["0", "1000", "many", "-1", "2.5"])("%s is answered with the range and not sent", (text) => {
  const { put, field } = typeTrainings(text);
  expect(screen.getByRole("alert").textContent).toBe("A number from 1 to 256.");
  expect(field.getAttribute("aria-invalid")).toBe("true");
  expect(put).not.toHaveBeenCalled();
});
