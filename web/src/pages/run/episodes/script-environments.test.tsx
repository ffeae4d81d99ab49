import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Run, ScriptEnvironment } from "@/api/types";
import { rolesOf, scriptEnvironmentsQuery } from "@/entities/script-environments/queries";
import { ScriptEnvironments } from "./ScriptEnvironments";

const environment: ScriptEnvironment = {
  number: 2,
  env_id: "CartPole-v1",
  env_kwargs: {},
  count: 8,
  made: 1,
  role: "evaluation",
  why: "another environment was stepped first",
  is_chosen: false,
  steps: 4096,
  episodes: 120,
};

function show(environments: ScriptEnvironment[]) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(scriptEnvironmentsQuery("a1").queryKey, environments);
  return render(
    <QueryClientProvider client={client}>
      <ScriptEnvironments run={{ id: "a1" } as Run} />
    </QueryClientProvider>,
  );
}

test("each environment of a script has its role, the reason, and a choice", () => {
  show([environment]);
  const role = screen.getByRole("combobox", { name: "Role of environment 2, CartPole-v1 × 8" });
  expect((role as HTMLSelectElement).value).toBe("evaluation");
  expect(screen.getByText("120 episodes, 4,096 steps · another environment was stepped first")).toBeTruthy();
});

test("a run that is not a script shows nothing", () => {
  expect(show([]).container.textContent).toBe("");
});

test("the training comes first; a script that only evaluates has its evaluations", () => {
  expect(rolesOf([environment, { ...environment, role: "training" }])).toEqual(["training", "evaluation"]);
  expect(rolesOf([environment])).toEqual(["evaluation"]);
  expect(rolesOf([])).toEqual([]);
});
