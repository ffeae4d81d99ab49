import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { SeedGroup } from "@/api/types";
import { seedGroupsQuery } from "@/entities/insights/queries";
import { TooltipProvider } from "@/ui/Tooltip";
import { SeedAgreement } from "./SeedAgreement";

const ids = ["a", "b"];

function shown(groups: object[]) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(seedGroupsQuery(ids).queryKey, groups as SeedGroup[]);
  return render(
    <QueryClientProvider client={client}>
      <TooltipProvider>
        <SeedAgreement runIds={ids} />
      </TooltipProvider>
    </QueryClientProvider>,
  ).container;
}

test("seeds that disagree say so, with what to do", () => {
  const insight = {
    level: "warning",
    title: "Seeds disagree",
    text: "They are between 60 and 490.",
    confidence: 0.95,
    evidence: { seeds: 2 },
    hint: "Run 2 more seeds.",
  };
  shown([{ run_ids: ids, seeds: [2, 1], insight }]);
  expect(screen.getByText("Seeds disagree: 1, 2")).toBeTruthy();
  expect(screen.getByText("Run 2 more seeds.")).toBeTruthy();
});

test("without seeds of one configuration there is no panel", () => {
  expect(shown([]).textContent).toBe("");
});

test("neither agreement nor disagreement is said, too", () => {
  shown([{ run_ids: ids, seeds: [1, null], insight: null }]);
  expect(screen.getByText(/Seeds 1, unknown: neither clear agreement/)).toBeTruthy();
});
