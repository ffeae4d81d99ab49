import { expect, test } from "vitest";
import { piecesOf } from "./ansi";

const ESC = "\u001b";

test("escape codes become colours and are never shown", () => {
  expect(piecesOf(`${ESC}[33mWARN: old version${ESC}[0m of CartPole`)).toEqual([
    { text: "WARN: old version", look: "text-warn" },
    { text: " of CartPole", look: "" },
  ]);
  expect(piecesOf(`${ESC}[1;91mbad${ESC}[22m less${ESC}[39m plain`).map((piece) => piece.look)).toEqual([
    "text-warn font-semibold",
    "text-warn",
    "",
  ]);
});

test("cursor movements, titles and unknown colours leave the text alone", () => {
  const line = `${ESC}[2K${ESC}]0;title\u0007${ESC}[38;5;208morange${ESC}[0m\u0007`;
  expect(piecesOf(line).map((piece) => piece.text)).toEqual(["orange"]);
});

test("of a progress bar only the last state is left", () => {
  expect(piecesOf("10 %\r20 %\r30 %\r")[0]!.text).toBe("30 %");
});
