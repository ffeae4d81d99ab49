import { describe, expect, it } from "vitest";
import { KNOBS, knobText, parseKnob } from "./knobs";

const videos = KNOBS[0]!;
const all = KNOBS[3]!;

describe("a knob", () => {
  it("takes a number in its bounds", () => {
    expect(parseKnob(videos, "7")).toEqual({ value: 7, problem: null });
    expect(parseKnob(videos, "0").problem).not.toBeNull();
    expect(parseKnob(videos, "many").problem).not.toBeNull();
  });
  it("goes back to its default when emptied", () => {
    expect(parseKnob(videos, " ")).toEqual({ value: null, problem: null });
  });
  it("takes sizes as people write them", () => {
    expect(parseKnob(all, "20 GB").value).toBe(20e9);
    expect(parseKnob(all, "1.5t").value).toBe(1.5e12);
    expect(parseKnob(all, "no limit").value).toBe(0);
    expect(parseKnob(all, "a lot").problem).not.toBeNull();
  });
  it("shows what it takes", () => {
    for (const value of [0, 900, 20e9, 1.5e12])
      expect(parseKnob(all, knobText(all, value)).value).toBe(value);
  });
  it("takes 0 and its word where 0 turns it off", () => {
    const days = KNOBS.find((knob) => knob.name === "archive_after_days")!;
    const logs = KNOBS.find((knob) => knob.name === "log_bytes")!;
    expect(parseKnob(days, "never").value).toBe(0);
    expect(parseKnob(days, "30").value).toBe(30);
    expect(knobText(days, 0)).toBe("never");
    expect(parseKnob(days, "40000").problem).toBe("A number from 1 to 36,500, or “never”.");
    expect(parseKnob(logs, "no limit").problem).not.toBeNull();
  });
});
