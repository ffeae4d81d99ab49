import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { TooltipProvider } from "@/ui/Tooltip";
import { RunFinder } from "./RunFinder";

afterEach(() => vi.unstubAllGlobals());

const run = (id: string, kind: string) => ({
  id,
  kind,
  name: `${kind} ${id}`,
  created_at: "2026-01-01T00:00:00Z",
});

function open(answerTo: (query: URLSearchParams) => Response) {
  const asked: Record<string, string>[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const { searchParams } = new URL(request.url);
    asked.push(Object.fromEntries(searchParams));
    return answerTo(searchParams);
  });
  const onAdd = vi.fn();
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <TooltipProvider>
        <RunFinder envId="CartPole-v1" chosen={["r1"]} onAdd={onAdd} />
      </TooltipProvider>
    </QueryClientProvider>,
  );
  fireEvent.click(screen.getByRole("button", { name: "Add a run" }));
  return { asked, onAdd };
}

test("older runs, other kinds and words can be asked for, only of the environment", async () => {
  const { asked, onAdd } = open((query) => {
    const kind = query.get("kind")!;
    return query.get("cursor")
      ? Response.json({ items: [run("old", kind)], next_cursor: null })
      : Response.json({ items: [run("r1", kind), run("r2", kind)], next_cursor: "c" });
  });
  await screen.findByText("train r2");
  expect(screen.queryByText("train r1")).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Older runs" }));
  fireEvent.click(await screen.findByText("train old"));
  expect(onAdd).toHaveBeenCalledWith("old");
  fireEvent.change(screen.getByLabelText("Kind of runs"), { target: { value: "play" } });
  await screen.findByText("play r2");
  fireEvent.change(screen.getByLabelText("Name, algorithm, tag"), { target: { value: "night" } });
  await vi.waitFor(() =>
    expect(asked.at(-1)).toMatchObject({ q: "night", kind: "play", env_id: "CartPole-v1" }),
  );
});

test("a list of runs that could not be loaded does not look empty", async () => {
  open(() => Response.json({ title: "Broken", detail: "The disk is full." }, { status: 500 }));
  await screen.findByText(/The runs could not be loaded/);
  expect(screen.queryByText("No other run matches.")).toBeNull();
});
