import { describe, expect, it } from "vitest";
import { plainText } from "@/entities/docs/markdown";
import { readCard } from "./card";

describe("a card", () => {
  it("is read as metadata and text, with names as they were written", () => {
    const { metadata, tree } = readCard("---\nlicense: mit\ntags:\n- x\n---\n\n# PPO on a\\_b\n\n`c\\d`\n");
    expect(metadata).toBe("license: mit\ntags:\n- x");
    expect(plainText(tree)).toContain("PPO on a_b");
    expect(plainText(tree)).toContain("c\\d");
  });

  it("without metadata is text only", () => {
    expect(readCard("# Title").metadata).toBe("");
  });
});
