import { describe, expect, it } from "vitest";
import { pathOf } from "./dropped";

describe("what is dropped on the page", () => {
  it("may be a link to a folder", () => {
    expect(pathOf("", "# kept\nfile:///home/me/my%20runs\n", undefined).path).toBe("/home/me/my runs");
  });
  it("may be a path as text", () => {
    expect(pathOf(" /data/runs\n/other", "", undefined).path).toBe("/data/runs");
  });
  it("explains why a dropped folder cannot be used", () => {
    const { path, reason } = pathOf("", "", "runs");
    expect(path).toBeNull();
    expect(reason).toContain("runs");
  });
  it("names what is not a path", () => {
    expect(pathOf("hello", "", undefined).reason).toContain("hello");
  });
});
