import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from "@tanstack/react-router";
import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { useChoice } from "@/pages/lab/draft/use-choice";
import { labSearch } from "@/pages/lab/search";

afterEach(() => localStorage.clear());

/** The lab and another page, opened at an address. */
async function open(address: string) {
  const root = createRootRoute({ component: Outlet });
  const routeTree = root.addChildren([
    createRoute({ getParentRoute: () => root, path: "/", validateSearch: labSearch, component: Form }),
    createRoute({ getParentRoute: () => root, path: "/runs", component: () => <p>runs</p> }),
    createRoute({ getParentRoute: () => root, path: "/slow", loader: () => new Promise(() => {}) }),
  ]);
  const router = createRouter({ routeTree, history: createMemoryHistory({ initialEntries: [address] }) });
  // biome-ignore lint/suspicious/noExplicitAny: the type of the page's own router is registered, this one is smaller
  render(<RouterProvider router={router as any} />);
  const go = (to: string) => act(() => router.navigate({ to } as never));
  await waitFor(() => expect(screen.getByRole("status").textContent).toBeTruthy());
  return { go, router };
}

function Form() {
  const [choice, setChoice] = useChoice();
  return (
    <>
      <output>{`${choice.env ?? "first"} ${choice.seed ?? "any"}`}</output>
      <button type="button" onClick={() => setChoice((c) => ({ ...c, env: "LunarLander-v3", seed: 1 }))}>
        choose
      </button>
    </>
  );
}

const shown = () => screen.getByRole("status").textContent;

test("leaving the lab and coming back by its bare link keeps the choice", async () => {
  const { go } = await open("/");
  act(() => screen.getByRole("button").click());
  await go("/runs");
  expect(await screen.findByText("runs")).toBeTruthy();
  await go("/");
  await waitFor(() => expect(shown()).toBe("LunarLander-v3 1"));
});

test("a reload at the bare address keeps the choice", async () => {
  await open("/");
  act(() => screen.getByRole("button").click());
  cleanup();
  await open("/");
  expect(shown()).toBe("LunarLander-v3 1");
});

test("a link that names a choice replaces the kept one, also on the lab itself", async () => {
  const { router } = await open("/");
  act(() => screen.getByRole("button").click());
  await act(() => router.navigate({ to: "/", search: { env: "Acrobot-v1" } } as never));
  await waitFor(() => expect(shown()).toBe("Acrobot-v1 any"));
});

test("the address follows the choice", async () => {
  const { router } = await open("/?run=abc");
  act(() => screen.getByRole("button").click());
  await waitFor(() =>
    expect(router.state.location.search).toMatchObject({ run: "abc", env: "LunarLander-v3", seed: 1 }),
  );
});

test("a page that is still loading is not called back by the choice", async () => {
  const { router } = await open("/");
  act(() => screen.getByRole("button").click());
  void router.navigate({ to: "/slow" } as never);
  await act(() => new Promise((done) => setTimeout(done, 600)));
  expect(router.latestLocation.pathname).toBe("/slow");
});
