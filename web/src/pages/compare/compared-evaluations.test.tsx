import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { Evaluation } from "@/api/types";
import { evaluationsQuery } from "@/entities/evaluations/queries";
import { ComparedEvaluations } from "./ComparedEvaluations";

vi.mock("@tanstack/react-router", () => ({
  Link: ({ children }: { children: React.ReactNode }) => <a href="/">{children}</a>,
}));
afterEach(() => vi.unstubAllGlobals());

const evaluation = (sha256: string) =>
  ({
    summary: {
      episodes: 5,
      returns: [1],
      return_mean: 1,
      return_ci: [null, null],
      return_median: 1,
      successes: null,
      checkpoint_timestep: 0,
      numbers: {},
      protocol: { sha256, text: `protocol ${sha256}@v1`, name: sha256 },
    },
  }) as unknown as Evaluation;

const verdictBy = { sha256: "five", text: "protocol five@v1", name: "five", runs: 1 };

function show(protocol: string | undefined) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(evaluationsQuery("a").queryKey, [evaluation("five")]);
  client.setQueryData(evaluationsQuery("b").queryKey, [evaluation("six"), evaluation("five")]);
  const onProtocol = vi.fn();
  render(
    <QueryClientProvider client={client}>
      <ComparedEvaluations
        compared={["a", "b"].map((id) => ({ id, label: id, runs: [] }) as never)}
        colour={() => "red"}
        protocol={protocol}
        verdictBy={verdictBy}
        onProtocol={onProtocol}
      />
    </QueryClientProvider>,
  );
  return onProtocol;
}

test("where the newest evaluations follow different protocols, those of the verdict are shown with one button", () => {
  const onProtocol = show(undefined);
  expect(screen.getByText(/Verdicts about evaluations take those by protocol five@v1\./)).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Show only those" }));
  expect(onProtocol).toHaveBeenCalledWith("five");
});

test("those of one protocol are left again", () => {
  const onProtocol = show("five");
  expect(screen.queryByText(/different protocols/)).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Show the newest of each run" }));
  expect(onProtocol).toHaveBeenCalledWith(undefined);
});
