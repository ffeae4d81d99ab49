import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { TooltipProvider } from "@/ui/Tooltip";
import { PolicySelect } from "./PolicySelect";

afterEach(() => vi.unstubAllGlobals());

/** Of the lab that answers: fewer rows than in a real page are drawn faster. */
const PAGE = 10;
const TOTAL = 3_000;

/** Number 0 is the newest. */
const item = (number: number, models: object[] = []) => ({
  id: `c${number}`,
  run_id: `r${number}`,
  run_name: `run ${number}`,
  env_id: "CartPole-v1",
  algorithm: "ppo",
  timestep: 4000,
  is_best: true,
  score: null,
  models,
});

function open(answer?: (query: URLSearchParams) => Response | undefined) {
  const asked: Record<string, string>[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const { searchParams: query } = new URL(request.url);
    asked.push(Object.fromEntries(query));
    const own = answer?.(query);
    if (own) return own;
    if (query.get("named") === "true")
      return Response.json({
        items: [item(7777, [{ name: "pole", version: 2 }])],
        next_cursor: null,
        total: 1,
      });
    const from = Number(query.get("cursor") ?? 0);
    const items = Array.from({ length: PAGE }, (_, i) => item(from + i));
    return Response.json({ items, next_cursor: from + PAGE < TOTAL ? `${from + PAGE}` : null, total: TOTAL });
  });
  const onChange = vi.fn();
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <TooltipProvider>
        <PolicySelect envId="CartPole-v1" policy={null} onChange={onChange} />
      </TooltipProvider>
    </QueryClientProvider>,
  );
  fireEvent.click(screen.getByRole("button", { name: "Model: Random actions" }));
  return { asked, onChange };
}

const newest = () => screen.findByRole("list", { name: "Checkpoints, newest first" });

test("of thousands the newest that fit are offered, named ones first, and older ones page by page", async () => {
  const { asked, onChange } = open();
  expect(within(await newest()).getAllByRole("listitem")).toHaveLength(PAGE + 1);
  const filter = { env_id: "CartPole-v1", acts_live: "true", sort: "created_at", order: "desc" };
  expect(asked).toEqual(["true", "false"].map((named) => expect.objectContaining({ ...filter, named })));
  const headings = [...document.querySelectorAll("h3")].map(({ textContent }) => textContent);
  expect(headings).toEqual(["Named models", "Checkpoints, newest first"]);
  expect(screen.getByText("pole v2")).toBeTruthy();
  fireEvent.click(screen.getByText("Show older ones"));
  const older = (await screen.findByText("run 10")).closest("button")!;
  await vi.waitFor(() => expect(document.activeElement).toBe(older));
  fireEvent.click(older);
  expect(onChange).toHaveBeenCalledWith({ runId: "r10", checkpoint: "c10", envId: "CartPole-v1" });
});

test("words are searched by the lab, and the arrows go from the field to what was found", async () => {
  const { asked } = open((query) =>
    query.get("q") === "night"
      ? Response.json({
          items: query.get("named") === "true" ? [] : [item(2500)],
          next_cursor: null,
          total: 1,
        })
      : undefined,
  );
  await newest();
  const field = screen.getByRole("searchbox");
  fireEvent.change(field, { target: { value: "night" } });
  const found = (await screen.findByText("run 2500")).closest("button")!;
  expect(asked.at(-1)).toMatchObject({ q: "night", env_id: "CartPole-v1" });
  field.focus();
  fireEvent.keyDown(field, { key: "ArrowDown" });
  fireEvent.keyDown(document.activeElement!, { key: "ArrowDown" });
  expect(document.activeElement).toBe(found);
});

test("a list that is empty says so, and one that could not be loaded does not look empty", async () => {
  let isBroken = true;
  open(() =>
    isBroken
      ? Response.json({ title: "Broken", detail: "The disk is full." }, { status: 500 })
      : Response.json({ items: [], next_cursor: null, total: 0 }),
  );
  const [retry] = await screen.findAllByRole("button", { name: "Try again" });
  expect(screen.queryByText(/No model/)).toBeNull();
  isBroken = false;
  for (const button of screen.getAllByRole("button", { name: "Try again" })) fireEvent.click(button);
  expect(retry).toBeTruthy();
  await screen.findByText("No model has been trained in CartPole-v1 yet.");
});

test("a checkpoint that was deleted is not called the best of its run", async () => {
  vi.stubGlobal("fetch", async (request: Request) =>
    request.url.includes("/checkpoints/")
      ? Response.json({ title: "Not found.", detail: "There is none." }, { status: 404 })
      : Response.json({ id: "r1", name: "lander" }),
  );
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <TooltipProvider>
        <PolicySelect envId="CartPole-v1" policy={{ runId: "r1", checkpoint: "gone" }} onChange={() => {}} />
      </TooltipProvider>
    </QueryClientProvider>,
  );
  await screen.findByRole("button", { name: "Model: lander" });
});
