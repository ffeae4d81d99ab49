import { expect, test } from "vitest";
import type { Dataset } from "@/api/types";
import { environmentsOf, listed } from "./listing";

const dataset = (name: string, env_id: string, episodes: number, day: number, mean: number | null): Dataset =>
  ({
    name,
    note: name === "walk" ? "by hand" : "",
    updated_at: "2026-01-01T00:00:00Z",
    versions: [
      {
        version: 1,
        env_id,
        episodes,
        created_at: `2026-01-0${day}T00:00:00Z`,
        statistics: { return_mean: mean },
      },
    ],
  }) as unknown as Dataset;
const ALL = [
  dataset("lander", "LunarLander-v3", 10, 1, 200),
  dataset("pole", "CartPole-v1", 500, 3, null),
  dataset("walk", "CartPole-v1", 50, 2, -5),
];
const names = (search: object) => listed(ALL, search).map((one) => one.dataset.name);

test("datasets are found by name, note and environment, the newest first", () => {
  expect(names({})).toEqual(["pole", "walk", "lander"]);
  expect(names({ q: "HAND" })).toEqual(["walk"]);
  expect(names({ q: "cart po" })).toEqual(["pole", "walk"]);
  expect(names({ env: "LunarLander-v3" })).toEqual(["lander"]);
  expect(environmentsOf(ALL)).toEqual(["CartPole-v1", "LunarLander-v3"]);
});

test("they are sorted by any column; those without a return come last", () => {
  expect(names({ sort: "-episodes" })).toEqual(["pole", "walk", "lander"]);
  expect(names({ sort: "name" })).toEqual(["lander", "pole", "walk"]);
  expect(names({ sort: "-return" })).toEqual(["lander", "walk", "pole"]);
  expect(names({ sort: "unknown" })).toEqual(["lander", "walk", "pole"]);
});
