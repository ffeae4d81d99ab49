import { afterEach, expect, test, vi } from "vitest";
import { mediaAddress, socketAddress } from "./addresses";
import { api, data } from "./client";
import { ProblemError } from "./problem";
import { closeSession, followSignIns, refusedLink, session, startSession, takePass } from "./session";
import { keepKeys, readKeys } from "./session-keys";

afterEach(() => {
  vi.unstubAllGlobals();
  session.set("opening");
  refusedLink.set(null);
  keepKeys(null);
  window.history.replaceState(null, "", "/");
});

const answer = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/problem+json" } });

test("the token is read once and leaves the address, the rest of the address stays", () => {
  window.history.replaceState(null, "", "/runs/abc?smooth=0.3#token=secret&x=1");
  expect(takePass()).toEqual({ token: "secret" });
  expect(window.location.pathname + window.location.search + window.location.hash).toBe(
    "/runs/abc?smooth=0.3#x=1",
  );
  expect(takePass()).toBeNull();
});

const KEYS = { key: "secret key", view_key: "view" };

test("a ticket is traded for a session, whose keys go to storage and into every request and address", async () => {
  const fetched = vi.fn(async (..._: unknown[]) => answer(201, { signed_in: true, ...KEYS }));
  vi.stubGlobal("fetch", fetched);
  window.history.replaceState(null, "", "/runs#ticket=once");
  await startSession();
  expect(fetched).toHaveBeenCalledWith(
    "/api/session",
    expect.objectContaining({ method: "POST", body: '{"ticket":"once"}' }),
  );
  expect(window.location.hash).toBe("");
  expect(session.get()).toBe("open");
  expect(readKeys()).toEqual(KEYS);
  await data(api.GET("/api/health"));
  expect((fetched.mock.lastCall![0] as Request).headers.get("RL-Lab-Key")).toBe("secret key");
  expect(mediaAddress("/api/artifacts/7")).toBe("/api/artifacts/7?view_key=view");
  expect(mediaAddress("/api/artifacts/7?download=true")).toBe("/api/artifacts/7?download=true&view_key=view");
  expect(socketAddress("/api/live")).toBe(`ws://${window.location.host}/api/live?view_key=view`);
});

test("a link that has expired is refused with the lab's words, unless the browser is signed in already", async () => {
  const words = { title: "A token is needed.", detail: "This sign-in link has expired.", status: 401 };
  vi.stubGlobal("fetch", async () => answer(401, words));
  window.history.replaceState(null, "", "/#ticket=old");
  await startSession();
  expect(session.get()).toBe("closed");
  expect(refusedLink.get()?.message).toContain("has expired");

  refusedLink.set(null);
  keepKeys(KEYS);
  const fetched = vi.fn(async () => answer(200, { signed_in: true }));
  vi.stubGlobal("fetch", fetched);
  window.history.replaceState(null, "", "/#ticket=old");
  await startSession();
  expect(session.get()).toBe("open");
  expect(fetched).toHaveBeenCalledOnce();
});

test("signing out ends the session and forgets its keys", async () => {
  keepKeys(KEYS);
  session.set("open");
  const fetched = vi.fn(async () => answer(200, { signed_in: false }));
  vi.stubGlobal("fetch", fetched);
  await closeSession();
  expect(fetched).toHaveBeenCalledWith(
    "/api/session",
    expect.objectContaining({ method: "DELETE", headers: { "RL-Lab-Key": "secret key" } }),
  );
  expect(session.get()).toBe("closed");
  expect(readKeys()).toBeNull();
  expect(mediaAddress("/api/artifacts/7")).toBe("/api/artifacts/7");
});

test("a tab follows the others: it is signed out and in with them", async () => {
  vi.stubGlobal("fetch", async () => answer(200, { signed_in: true }));
  session.set("open");
  const stop = followSignIns();
  const changed = () => window.dispatchEvent(new StorageEvent("storage", { key: "rl-lab.session" }));
  changed();
  await vi.waitFor(() => expect(session.get()).toBe("closed"));
  keepKeys(KEYS);
  changed();
  await vi.waitFor(() => expect(session.get()).toBe("open"));
  stop();
});

test("a token is traded for a session before anything else is asked", async () => {
  const fetched = vi.fn(async () => answer(200, KEYS));
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

test("a browser that was signed out is asked to sign in without a failed request", async () => {
  keepKeys(KEYS);
  vi.stubGlobal("fetch", async () => answer(200, { signed_in: false }));
  await startSession();
  expect(session.get()).toBe("closed");
});

test("a lab that does not answer is not taken for a missing sign-in", async () => {
  keepKeys(KEYS);
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  await startSession();
  expect(session.get()).toBe("open");
});
