import { describe, expect, it } from "vitest";
import { joinWords, parseVariables, splitWords } from "./command-line";

describe("a typed command line", () => {
  it("splits at blanks", () => {
    expect(splitWords("  python  train.py --seed 1 ")).toEqual(["python", "train.py", "--seed", "1"]);
  });
  it("keeps what is quoted together", () => {
    expect(splitWords(`python "my script.py" --name 'a "b" c' x\\ y ''`)).toEqual([
      "python",
      "my script.py",
      "--name",
      'a "b" c',
      "x y",
      "",
    ]);
  });
  it("comes back from its words", () => {
    const words = ["python", "my script.py", "it's", "", "--lr=3e-4", "a\\b"];
    expect(splitWords(joinWords(words))).toEqual(words);
  });
});

describe("variables", () => {
  it("are one a line", () => {
    expect(parseVariables("A=1\n\n B=x=y ")).toEqual({ variables: { A: "1", B: "x=y" }, wrong: null });
  });
  it("name the line that is not NAME=VALUE", () => {
    expect(parseVariables("A=1\nrubbish").wrong).toContain("rubbish");
  });
});
