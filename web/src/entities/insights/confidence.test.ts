import { expect, test } from "vitest";
import type { Insight } from "@/api/types";
import { confidenceNote } from "./confidence";

const insight = (evidence: Record<string, number | string>) => ({ evidence }) as unknown as Insight;

test("a confidence says what it means and how many episodes it rests on", () => {
  expect(confidenceNote(insight({ episodes: 1320 }))).toMatch(/could be chance.*rests on 1,320 episodes\.$/);
  expect(confidenceNote(insight({ updates: 1 }))).toMatch(/rests on 1 update\.$/);
  expect(confidenceNote(insight({ metric: "kl" }))).toMatch(/otherwise\.$/);
});
