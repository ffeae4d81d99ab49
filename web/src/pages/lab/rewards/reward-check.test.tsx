import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { CodeCheck, NewRun } from "@/api/types";
import { rewardCheckQuery } from "@/entities/codes/queries";
import { RewardCheck } from "./RewardCheck";

afterEach(() => vi.unstubAllGlobals());

const question: NewRun = { env_id: "CartPole-v1", algorithm: "ppo", runner: "turbo" };
const works: CodeCheck = {
  is_usable: true,
  remarks: [],
  calls: 1000,
  calls_per_second: 250_000,
  slowdown: 0.04,
  terms: [],
  takes: [],
  isolation: "confined",
  environment: null,
};

function draw(answer: () => Promise<Response>) {
  vi.stubGlobal("fetch", answer);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RewardCheck query={rewardCheckQuery(question)} />
    </QueryClientProvider>,
  );
}

test("while it runs it says so, then what the reward costs of this training", async () => {
  draw(async () => Response.json(works));
  expect(screen.getByRole("status").textContent).toBe("Checking the reward in this environment…");
  await screen.findByText("It works here. It costs about 4 % of this training’s speed.");
});

test("a reward that fails here is shown with its line before the training starts", async () => {
  const remarks = [{ line: 2, level: "error", message: "IndexError: index 6 is out of bounds." }];
  draw(async () => Response.json({ ...works, is_usable: false, calls: 0, slowdown: null, remarks }));
  await screen.findByText(/does not work here/);
  expect(screen.getByRole("list", { name: "Remarks" }).textContent).toContain("line 2");
});

test("what was not tried says why and is not called broken", async () => {
  const remarks = [{ line: null, level: "info", message: "It was not tried before the training." }];
  draw(async () => Response.json({ ...works, calls: 0, slowdown: null, remarks }));
  await screen.findByText("It was not tried before the training.");
  expect(screen.queryByText(/does not work|It works here/)).toBeNull();
});

test("where it must be approved first, the reason is shown", async () => {
  const problem = { status: 428, title: "Approve it.", detail: "Not isolated: read it first.", type: "x" };
  draw(async () => Response.json(problem, { status: 428 }));
  await screen.findByText(/The reward was not checked\. .*Not isolated/);
});
