import { expect, test } from "vitest";
import type { PlayHeader } from "@/api/types";
import { leavingOf } from "./leaving";

const header = (more: Partial<PlayHeader>) =>
  ({ mode: "human", step: 0, ended: false, ...more }) as PlayHeader;
const opOf = (more: Partial<PlayHeader>) => leavingOf(header(more), false)?.message.op;

test("an episode under way is paused, a play between episodes ends", () => {
  expect(opOf({ step: 12 })).toBe("pause");
  expect(opOf({ step: 12, ended: true })).toBe("end");
  expect(opOf({ step: 0 })).toBe("end");
});

test("steps before a takeover do not count, and a model's next episode comes by itself", () => {
  expect(opOf({ step: 40, taken_over_at: 40 })).toBe("end");
  expect(opOf({ step: 41, taken_over_at: 40 })).toBe("pause");
  expect(opOf({ step: 12, ended: true, mode: "agent" })).toBe("pause");
});

test("somebody who watches, or came too early, changes nothing", () => {
  expect(leavingOf(header({ step: 12 }), true)).toBeNull();
  expect(leavingOf(null, false)).toBeNull();
});
