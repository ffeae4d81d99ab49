import { expect, test } from "vitest";
import type { ProtocolVersion } from "@/api/types";
import { draftOf, NEW_PROTOCOL, problemsIn, requestOf } from "./protocol-draft";

test("a typed protocol becomes a request, and a saved one can be typed again", () => {
  const draft = {
    ...NEW_PROTOCOL,
    name: " nightly ",
    seeds: "1, 2 3",
    threshold: "0.5",
    code: "soft@v2",
    judgedBy: "soft",
  };
  const request = requestOf(draft);
  expect(request).toMatchObject({
    name: "nightly",
    seeds: [1, 2, 3],
    threshold: 0.5,
    code: { name: "soft", version: 2 },
    judged_by: "soft",
  });
  expect(request).not.toHaveProperty("episodes");
  const saved = { ...request, episodes: 3, is_built_in: false, version: 1, sha256: "1", created_at: null };
  expect(requestOf(draftOf(saved as unknown as ProtocolVersion))).toEqual(request);
});

test("what cannot be read is said at its field", () => {
  expect(problemsIn(NEW_PROTOCOL)).toEqual({});
  expect(Object.keys(problemsIn({ ...NEW_PROTOCOL, episodes: "many", baseSeed: "x" }))).toEqual([
    "episodes",
    "baseSeed",
  ]);
  expect(problemsIn({ ...NEW_PROTOCOL, seeds: "1, two" }).seeds).toContain("1, 2, 3");
  expect(problemsIn({ ...NEW_PROTOCOL, envKwargs: "[1]" }).envKwargs).toContain("JSON");
  expect(problemsIn({ ...NEW_PROTOCOL, threshold: "high" }).threshold).toBe("A number.");
});

test("wrappers are chosen in a list, other arguments are typed", () => {
  const wrappers = [{ id: "time_limit", steps: 200 }];
  const saved = { ...requestOf(NEW_PROTOCOL), seeds: null, env_kwargs: { gravity: -8, wrappers } };
  const draft = draftOf(saved as unknown as ProtocolVersion);
  expect(draft).toMatchObject({ envKwargs: '{"gravity":-8}', wrappers });
  expect(requestOf(draft).env_kwargs).toEqual({ gravity: -8, wrappers });
  expect(problemsIn({ ...NEW_PROTOCOL, envKwargs: '{"wrappers": []}' }).envKwargs).toContain("list above");
});

test("no wrappers at all are different from those of the run", () => {
  expect(requestOf({ ...NEW_PROTOCOL, wrappers: [] }).env_kwargs).toEqual({ wrappers: [] });
  expect(requestOf(NEW_PROTOCOL).env_kwargs).toEqual({});
});
