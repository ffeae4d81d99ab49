import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { Checkpoints } from "@/entities/artifacts/use-checkpoints";
import { TooltipProvider } from "@/ui/Tooltip";
import { EvaluateForm } from "./EvaluateForm";

afterEach(() => vi.unstubAllGlobals());

const protocol = (name: string, version: number, env_id = "") => ({
  name,
  version,
  env_id,
  episodes: 20,
  seeds: null,
  base_seed: 0,
  deterministic: true,
  code: null,
  threshold: null,
  is_built_in: false,
});
const PROTOCOLS = [
  { name: "nightly", versions: [protocol("nightly", 2), protocol("nightly", 1)] },
  { name: "other", versions: [protocol("other", 1, "Acrobot-v1")] },
];
const CODES = [{ name: "soft", versions: [1, 2].map((version) => ({ name: "soft", version })).reverse() }];

function open(answerTo: (path: string) => Response) {
  vi.stubGlobal("fetch", async (request: Request) => answerTo(new URL(request.url).pathname));
  const onSubmit = vi.fn();
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const checkpoints = { reason: null, list: [], checkpoints: [] } as unknown as Checkpoints;
  render(
    <QueryClientProvider client={client}>
      <TooltipProvider>
        <EvaluateForm envId="CartPole-v1" checkpoints={checkpoints} isBusy={false} onSubmit={onSubmit} />
      </TooltipProvider>
    </QueryClientProvider>,
  );
  return onSubmit;
}
const titles = (label: string) =>
  [...(screen.getByLabelText(label) as HTMLSelectElement).options].map(({ text }) => text);

test("older versions of a protocol and of evaluation code can be chosen", async () => {
  const onSubmit = open((path) => Response.json(path === "/api/protocols" ? PROTOCOLS : CODES));
  await screen.findByRole("option", { name: "nightly@v1" });
  await screen.findByRole("option", { name: "soft@v1" });
  expect(titles("Protocol")).toEqual(["No protocol", "nightly@v2", "nightly@v1"]);
  expect(titles("Evaluation code")).toEqual(["No evaluation code", "soft@v2", "soft@v1"]);
  fireEvent.change(screen.getByLabelText("Protocol"), { target: { value: "nightly@v1" } });
  fireEvent.click(screen.getByRole("button", { name: /^Play 20 episodes/ }));
  expect(onSubmit).toHaveBeenCalledWith(expect.objectContaining({ protocol: "nightly@v1" }));
});

test("lists that could not be loaded do not look empty", async () => {
  open(() => Response.json({ title: "Broken", detail: "The disk is full." }, { status: 500 }));
  expect((await screen.findByText(/The protocols could not be loaded/)).textContent).toContain(
    "disk is full",
  );
  await screen.findByText(/The evaluation code could not be loaded/);
});
