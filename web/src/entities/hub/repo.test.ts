import { describe, expect, it } from "vitest";
import { problemOfRepo, repoOf, suggestRepo, userOf } from "./repo";

describe("the name of a repository", () => {
  it("is user/name", () => {
    expect(problemOfRepo("ada/ppo-CartPole-v1")).toBeNull();
    for (const wrong of ["", "ada", "ada/", "/x", "ada/x/y", "ada/a b", "-a/b"]) {
      expect(problemOfRepo(wrong), wrong).toContain("user/name");
    }
  });

  it("is also read from the address of its page", () => {
    for (const address of [
      "https://huggingface.co/ada/x",
      "hf.co/ada/x/",
      " https://www.huggingface.co/ada/x ",
    ]) {
      expect(repoOf(address)).toBe("ada/x");
      expect(problemOfRepo(address)).toBeNull();
      expect(userOf(address)).toBe("ada");
    }
    expect(repoOf("https://example.org/ada/x")).toBe("https://example.org/ada/x");
  });

  it("is suggested from algorithm and environment, with the user of the last push", () => {
    expect(problemOfRepo("https://huggingface.co/ada/x/tree/main")).toContain("ada/x:");
    expect(suggestRepo("ada", "PPO", "ALE/Pong-v5")).toBe("ada/ppo-ALE-Pong-v5");
    expect(suggestRepo("", "sac", "CartPole-v1")).toBe("sac-CartPole-v1");
  });
});
