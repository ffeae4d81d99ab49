import { expect, test } from "vitest";
import type { Dataset, DatasetVersion } from "@/api/types";
import type { Offer } from "@/entities/runners/offers";
import { chosenVersion, filterDatasets, prefillVersions, whyNotDataset } from "./choices";

const version = (name: string, number: number, more: Partial<DatasetVersion> = {}) =>
  ({
    name,
    version: number,
    env_id: "CartPole-v1",
    action_space: { type: "Discrete", n: 2 },
    ...more,
  }) as DatasetVersion;
const pole = { name: "Pole", versions: [version("Pole", 2), version("Pole", 1)] } as Dataset;
const swing = {
  name: "swing",
  versions: [version("swing", 1, { env_id: "Pendulum-v1", action_space: { type: "Box", shape: [1] } })],
} as Dataset;
const offer = (...kinds: ("discrete" | "continuous")[]) =>
  ({ algorithm: { name: "TD3+BC", action_kinds: kinds } }) as unknown as Offer;

test("datasets are found by name and by environment", () => {
  const empty = { name: "empty", versions: [] } as unknown as Dataset;
  expect(filterDatasets([pole, swing, empty], "")).toEqual([pole, swing]);
  expect(filterDatasets([pole, swing], "pend")).toEqual([swing]);
});

test("a link names a version, or the newest one", () => {
  expect(chosenVersion([pole], "pole")?.version).toBe(2);
  expect(chosenVersion([pole], "Pole@v1")?.version).toBe(1);
  expect(chosenVersion([pole], "Pole@v9")).toBeUndefined();
  expect(chosenVersion([pole], "")).toBeUndefined();
});

test("a replay buffer begins with a dataset of the same environment and actions", () => {
  expect(prefillVersions([pole, swing], "Pendulum-v1", offer("continuous"))).toEqual(swing.versions);
  expect(prefillVersions([pole, swing], "CartPole-v1", offer("continuous"))).toEqual([]);
});

test("a dataset of other actions, or with damaged files, cannot be chosen", () => {
  expect(whyNotDataset(pole.versions[0]!, offer("discrete", "continuous"))).toBeNull();
  expect(whyNotDataset(pole.versions[0]!, offer("continuous"))).toBe(
    "TD3+BC needs continuous actions; it has discrete ones.",
  );
  expect(
    whyNotDataset(
      version("a", 1, { integrity: "damaged", integrity_message: "rewards.npy is short." }),
      offer("discrete"),
    ),
  ).toBe("rewards.npy is short.");
});
