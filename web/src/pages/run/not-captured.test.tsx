import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Run } from "@/api/types";
import { notCapturedQuery } from "@/entities/events/queries";
import { NotCaptured } from "./NotCaptured";

function show(texts: string[]) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(notCapturedQuery("a1").queryKey, texts);
  return render(
    <QueryClientProvider client={client}>
      <NotCaptured run={{ id: "a1" } as Run} />
    </QueryClientProvider>,
  );
}

test("the run's page says what of a script was not captured", () => {
  show(["PettingZoo environments are not captured."]);
  expect(screen.getByRole("region", { name: "Not captured" }).textContent).toContain("PettingZoo");
});

test("nothing is said when everything was captured", () => {
  expect(show([]).container.textContent).toBe("");
});
