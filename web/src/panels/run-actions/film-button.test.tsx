import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Artifact, Run } from "@/api/types";
import { artifactsQuery } from "@/entities/artifacts/queries";
import { filmsQuery } from "@/entities/films/queries";
import { runQuery } from "@/entities/runs/queries";
import { TooltipProvider } from "@/ui/Tooltip";
import { FilmButton } from "./FilmButton";

const RUN = { id: "a1", name: "PPO · seed 3", source: null, progress: { episodes: 9 } } as unknown as Run;
const FILM = { id: "f1", kind: "film", status: "succeeded", reason: null, progress: {} } as unknown as Run;

test("a finished film opens over the page, with a download under the name of its run", async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(filmsQuery("a1").queryKey, FILM);
  client.setQueryData(artifactsQuery("a1").queryKey, []);
  client.setQueryData(runQuery("f1").queryKey, FILM);
  client.setQueryData(artifactsQuery("f1").queryKey, [{ id: "v1", media_type: "video/mp4" } as Artifact]);
  render(
    <QueryClientProvider client={client}>
      <TooltipProvider>
        <FilmButton run={RUN} />
      </TooltipProvider>
    </QueryClientProvider>,
  );
  fireEvent.click(screen.getByRole("button", { name: "Film" }));
  expect(await screen.findByRole("dialog", { name: "Film of PPO · seed 3" })).toBeTruthy();
  expect(screen.getByRole("link", { name: "Download" }).getAttribute("href")).toContain("v1?download=true");
  fireEvent.click(await screen.findByRole("button", { name: "Make another…" }));
  expect(screen.getByRole("button", { name: "Make film" })).toBeTruthy();
});

test("a play with an episode is offered as a film, one without says why not", () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const play = (id: string, episodes: number) => {
    client.setQueryData(filmsQuery(id).queryKey, null);
    client.setQueryData(artifactsQuery(id).queryKey, []);
    return { ...RUN, id, kind: "play", progress: { episodes } } as unknown as Run;
  };
  render(
    <QueryClientProvider client={client}>
      <TooltipProvider>
        <FilmButton run={play("p1", 1)} />
        <FilmButton run={play("p0", 0)} />
      </TooltipProvider>
    </QueryClientProvider>,
  );
  const [played, empty] = screen.getAllByRole("button", { name: /Film/ });
  expect(played!.getAttribute("aria-disabled")).not.toBe("true");
  expect(empty!.getAttribute("aria-disabled")).toBe("true");
});
