import { afterEach, expect, test, vi } from "vitest";
import { api, data } from "./client";
import { ProblemError } from "./problem";
import { session, startSession, takeToken } from "./session";

afterEach(() => {
  vi.unstubAllGlobals();
  session.set("opening");
  window.history.replaceState(null, "", "/");
});

const answer = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/problem+json" } });

test("the token is read once and leaves the address, the rest of the address stays", () => {
  window.history.replaceState(null, "", "/runs/abc?smooth=0.3#token=secret&x=1");
  expect(takeToken()).toBe("secret");
  expect(window.location.pathname + window.location.search + window.location.hash).toBe(
    "/runs/abc?smooth=0.3#x=1",
  );
  expect(takeToken()).toBeNull();
});

test("a token is traded for a session before anything else is asked", async () => {
  const fetched = vi.fn(async () => answer(200, {}));
  vi.stubGlobal("fetch", fetched);
  window.history.replaceState(null, "", "/#token=secret");
  await startSession();
  expect(fetched).toHaveBeenCalledWith(
    "/api/session",
    expect.objectContaining({ method: "POST", body: '{"token":"secret"}' }),
  );
  expect(session.get()).toBe("open");
});

test("a refused token asks for another one", async () => {
  vi.stubGlobal("fetch", async () => answer(401, { title: "A token is needed.", status: 401 }));
  window.history.replaceState(null, "", "/#token=wrong");
  await startSession();
  expect(session.get()).toBe("closed");
});

test("a 401 of any request closes the session and carries the problem", async () => {
  vi.stubGlobal("fetch", async () =>
    answer(401, { title: "A token is needed.", detail: "No token.", status: 401 }),
  );
  await expect(data(api.GET("/api/health"))).rejects.toThrow("No token.");
  expect(session.get()).toBe("closed");
});

test("field errors arrive under the name of the field", async () => {
  const errors = [
    { field: "params.gamma", message: "Input should be less than or equal to 1", allowed: { maximum: 1 } },
  ];
  vi.stubGlobal("fetch", async () =>
    answer(422, { title: "The input is not valid.", detail: "…", status: 422, errors }),
  );
  const problem = await data(api.GET("/api/health")).catch((error: unknown) => error as ProblemError);
  expect(problem).toBeInstanceOf(ProblemError);
  expect((problem as ProblemError).fieldErrors().gamma?.message).toMatch(/less than/);
});

test("a dead server reads as a sentence with a next step", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  const problem = await data(api.GET("/api/health")).catch((error: unknown) => error as ProblemError);
  expect((problem as ProblemError).problem.next_step).toContain("rl-lab serve");
});

test("a browser that is not signed in is asked for a token without a failed request", async () => {
  vi.stubGlobal("fetch", async () => answer(200, { signed_in: false }));
  await startSession();
  expect(session.get()).toBe("closed");
});

test("a lab that does not answer is not taken for a missing token", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  await startSession();
  expect(session.get()).toBe("open");
});
