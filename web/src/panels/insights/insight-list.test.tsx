import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Insight, Run } from "@/api/types";
import { runnersQuery } from "@/entities/runners/queries";
import { TooltipProvider } from "@/ui/Tooltip";
import { InsightList } from "./InsightList";

const run = {
  id: "1nfk71mp5kag",
  config: {
    kind: "train",
    runner: "turbo",
    algorithm: "ppo",
    env_id: "CartPole-v1",
    seed: 3,
    total_timesteps: 1000,
    params: { learning_rate: 0.016 },
  },
} as unknown as Run;

const insight = (change: Partial<Insight>): Insight =>
  ({ id: "x", level: "info", title: "T", text: "S.", confidence: null, hint: null, ...change }) as Insight;

async function shown(insights: Insight[]) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(runnersQuery.queryKey, [
    {
      id: "turbo",
      capabilities: {},
      options_schema: {},
      algorithms: [
        { id: "ppo", presets: [], params_schema: { properties: { learning_rate: { default: 0.001 } } } },
      ],
    },
  ] as never);
  const rootRoute = createRootRoute({ component: () => <InsightList run={run} insights={insights} /> });
  const router = createRouter({
    routeTree: rootRoute,
    history: createMemoryHistory({ initialEntries: ["/"] }),
  });
  render(
    <QueryClientProvider client={client}>
      <TooltipProvider>
        {/* The test's router has one route; the app's types know another tree. */}
        <RouterProvider router={router as never} />
      </TooltipProvider>
    </QueryClientProvider>,
  );
  await screen.findAllByRole("article");
}

test("a fact shows no confidence, a test shows its own", async () => {
  await shown([insight({ id: "a" }), insight({ id: "b", confidence: 0.77, evidence: { episodes: 120 } })]);
  expect(screen.getAllByText(/% sure/)).toHaveLength(1);
  expect(screen.getByText("1 number")).toBeTruthy();
});

test("a hint with a change opens the form with it", async () => {
  await shown([
    insight({ hint: "Lower it.", change: { params: { learning_rate: 0.002 }, total_timesteps: null } }),
  ]);
  const link = screen.getByRole("link", { name: "Try it" });
  const search = new URLSearchParams(link.getAttribute("href")!.split("?")[1]);
  expect(search.get("env")).toBe("CartPole-v1");
  expect(JSON.parse(search.get("params")!)).toEqual({ learning_rate: 0.002 });
  expect(search.get("seed")).toBe("3");
});

test("a hint without a change has no button", async () => {
  await shown([insight({ hint: "Run more seeds.", change: null })]);
  expect(screen.queryByRole("link", { name: "Try it" })).toBeNull();
});
