import { describe, expect, test } from "vitest";
import {
  formatBytes,
  formatCount,
  formatDate,
  formatDuration,
  formatNumber,
  formatPercent,
  formatSigned,
} from "./format";

describe("numbers", () => {
  test.each([
    [475, "475"],
    [0, "0"],
    [-200.26, "−200"],
    [12.345, "12.3"],
    [9999, "9999"],
    [20480, "20.5k"],
    [1_234_567, "1.23M"],
    [0.000312, "3.12e-4"],
    [0.0312, "0.0312"],
    [Number.NaN, "NaN"],
    [null, "–"],
  ])("%s reads %s", (value, text) => expect(formatNumber(value)).toBe(text));

  test("a reward carries its sign", () => {
    expect(formatSigned(12.4)).toBe("+12.4");
    expect(formatSigned(-3)).toBe("−3");
    expect(formatSigned(0)).toBe("0");
  });
  test("counts have separators", () => expect(formatCount(1_000_000)).toBe("1,000,000"));
  test("fractions become percent", () => expect(formatPercent(0.4237)).toBe("42 %"));
  test("bytes pick their unit", () => expect(formatBytes(8_123_456)).toBe("8.12 MB"));
});

describe("times", () => {
  test.each([
    [4.21, "4.2 s"],
    [45, "45 s"],
    [65, "1 min 05 s"],
    [3725, "1 h 02 min"],
    [90_000, "1 d 01 h"],
  ])("%s s reads %s", (seconds, text) => expect(formatDuration(seconds)).toBe(text));

  test("a date of today shows the time only", () => {
    const now = new Date(2026, 2, 3, 18, 0);
    expect(formatDate(new Date(2026, 2, 3, 14, 5), now)).toBe("today 14:05");
    expect(formatDate(new Date(2026, 1, 3, 14, 5), now)).toBe("3 Feb 14:05");
    expect(formatDate(new Date(2025, 1, 3, 14, 5), now)).toBe("3 Feb 2025");
  });
});
