import { expect, test } from "vitest";
import type { Run } from "@/api/types";
import { firstShown } from "./use-shown";

const run = (id: string, isAdopted: boolean) =>
  ({ id, source: isAdopted ? { folder: "/logs" } : null }) as Run;

test("the lab opens with the newest run that has pictures", () => {
  expect(firstShown([run("adopted", true), run("own", false), run("older", false)])).toBe("own");
  expect(firstShown([run("adopted", true)])).toBe("adopted");
  expect(firstShown([])).toBeNull();
});
