import { describe, expect, it } from "vitest";
import { EXPORTS, exportAddress, packAddress } from "./addresses";

describe("addresses of exports", () => {
  it("names every run and study", () => {
    expect(exportAddress({ runs: ["a", "b"], studies: ["s"] }, "csv", "runs")).toBe(
      "/api/exports?runs=a&runs=b&studies=s&format=csv&table=runs",
    );
    expect(packAddress({ runs: ["a", "b"] })).toBe("/api/packs?runs=a&runs=b");
  });

  it("offers each format once per table", () => {
    const offered = EXPORTS.map(({ format, table }) => `${format} ${table ?? "metrics"}`);
    expect(new Set(offered).size).toBe(offered.length);
  });
});
