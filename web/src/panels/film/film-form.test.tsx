import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { Artifact, Run } from "@/api/types";
import { artifactsQuery } from "@/entities/artifacts/queries";
import { TooltipProvider } from "@/ui/Tooltip";
import { FilmForm } from "./FilmForm";

const RUN = { id: "a1", progress: { episodes: 9 } } as unknown as Run;
const CHECKPOINT = { id: "c1", kind: "checkpoint", timestep: 100, role: "final" } as unknown as Artifact;

const PLAY = { ...RUN, kind: "play", progress: { episodes: 1 } } as unknown as Run;

function show(files: Artifact[], run = RUN) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(artifactsQuery("a1").queryKey, files);
  render(
    <QueryClientProvider client={client}>
      <TooltipProvider>
        <FilmForm run={run} onStarted={() => {}} />
      </TooltipProvider>
    </QueryClientProvider>,
  );
}

afterEach(() => vi.unstubAllGlobals());

test("a film of checkpoints is asked for with what was chosen", async () => {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    sent.push(await request.json());
    return Response.json({ id: "f1" });
  });
  show([CHECKPOINT]);
  fireEvent.change(screen.getByRole("combobox", { name: "Style" }), { target: { value: "plain" } });
  fireEvent.click(screen.getByRole("button", { name: "Make film" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toEqual({
    show: "checkpoints",
    scenes: 10,
    seconds_per_scene: 6,
    style: "plain",
    format: "mp4",
  });
});

test("a run without checkpoints is filmed through its episodes", () => {
  show([]);
  const select = screen.getByRole("combobox", { name: "What the film shows" }) as HTMLSelectElement;
  expect(select.value).toBe("episodes");
});

test("a play is filmed through its episodes, without a choice of checkpoints", async () => {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    sent.push(await request.json());
    return Response.json({ id: "f1" });
  });
  show([], PLAY);
  expect(screen.queryByRole("combobox", { name: "What the film shows" })).toBeNull();
  expect(screen.getByRole("option", { name: "Title, captions, returns" })).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Make film" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ show: "episodes", scenes: 10 });
});
