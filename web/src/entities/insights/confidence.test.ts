import { expect, test } from "vitest";
import type { Insight } from "@/api/types";
import { confidenceNote } from "./confidence";

const insight = (evidence: Record<string, number | string>) =>
  ({ evidence, confidence: 0.97 }) as unknown as Insight;

test("a confidence says what it means and how many episodes it rests on", () => {
  expect(confidenceNote(insight({ episodes: 1320 }))).toMatch(/97 % were right.*rests on 1,320 episodes\.$/);
  expect(confidenceNote(insight({ logged_means: 12 }))).toMatch(/rests on 12 logged means\.$/);
  expect(confidenceNote(insight({ updates: 1 }))).toMatch(/rests on 1 update\.$/);
  expect(confidenceNote(insight({ metric: "kl" }))).toMatch(/labelled runs\.$/);
});
