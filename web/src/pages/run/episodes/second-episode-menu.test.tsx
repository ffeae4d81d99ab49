import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { EpisodeRow, Run } from "@/api/types";
import { landmarksQuery } from "@/entities/episodes/queries";
import { SecondEpisodeMenu } from "./SecondEpisodeMenu";

test("the menu of a second episode groups the digits of its number", async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(landmarksQuery("a1").queryKey, [
    { title: "Best", row: { episode: 1543, reward: 500 } as EpisodeRow },
  ]);
  render(
    <QueryClientProvider client={client}>
      <SecondEpisodeMenu run={{ id: "a1" } as Run} episode={1} onChoose={() => {}} />
    </QueryClientProvider>,
  );
  fireEvent.keyDown(screen.getByRole("button", { name: "Compare" }), { key: "Enter" });
  expect(await screen.findByRole("menuitem", { name: "Best episode: 1,543, return 500" })).toBeTruthy();
});
