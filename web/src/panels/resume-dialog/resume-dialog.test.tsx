import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { problemFrom } from "@/api/problem";
import { agreementOf, resumeDialog } from "@/entities/runs/use-resume";
import ResumeDialog from "./ResumeDialog";

const REWIND = { type: "urn:rl-lab:rewind-needed", detail: "It drops 800 steps and 40 episodes." };
const INEXACT = { type: "urn:rl-lab:inexact-resume", detail: "Other versions: numpy 1.0 → 2.0." };

afterEach(() => {
  resumeDialog.set(null);
  vi.unstubAllGlobals();
});

it("asks for what an answer says must be agreed to, and for nothing else", () => {
  expect(agreementOf("r", { checkpoint: "c" }, problemFrom(409, REWIND))).toEqual({
    runId: "r",
    choice: { checkpoint: "c" },
    field: "rewind",
    detail: REWIND.detail,
  });
  expect(agreementOf("r", {}, problemFrom(409, INEXACT))?.field).toBe("inexact");
  expect(agreementOf("r", {}, problemFrom(409, { type: "urn:rl-lab:move-refused" }))).toBeNull();
});

it("sends what was agreed to, and asks the next question", async () => {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    sent.push(await request.json());
    return new Response(JSON.stringify(INEXACT), {
      status: 409,
      headers: { "content-type": "application/problem+json" },
    });
  });
  resumeDialog.set(agreementOf("r", { checkpoint: "c" }, problemFrom(409, REWIND)));
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ResumeDialog />
    </QueryClientProvider>,
  );
  expect(screen.getByText(REWIND.detail)).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Drop them and resume" }));
  await waitFor(() => expect(screen.getByRole("button", { name: "Resume anyway" })).toBeTruthy());
  expect(sent).toEqual([{ checkpoint: "c", rewind: true }]);
  expect(screen.getByText(INEXACT.detail)).toBeTruthy();
});
