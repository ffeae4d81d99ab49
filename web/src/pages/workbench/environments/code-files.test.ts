import { expect, test } from "vitest";
import { type FoundFile, joinFiles, MOST_BYTES } from "./code-files";
import { isWrapper } from "./wrapper";

const file = (path: string, text: string | Uint8Array<ArrayBuffer>): FoundFile => ({
  path,
  file: new Blob([text]),
});
const problemOf = async (...files: FoundFile[]) => (await joinFiles(files)).problem;

test("one file is its text, whatever its name is", async () => {
  expect(await joinFiles([file("my maze.py", "a = 1\r\nb = 2\r\n")])).toEqual({
    source: "a = 1\nb = 2\n",
    leftOut: [],
  });
});

test("the files of a folder become one text as the lab writes it, the main file first", async () => {
  const files = [
    file("maze/levels/first.py", "LEVEL = 1\n\n\n"),
    file("maze/environment.py", "import levels.first\n"),
    file("maze/levels/__init__.py", "\n"),
    file("maze/README.md", "# Maze"),
    file("maze/tests/test_maze.py", "assert True"),
    file("maze/__pycache__/environment.py", "no"),
  ];
  expect(await joinFiles(files)).toEqual({
    source: "# --- file: environment.py\nimport levels.first\n\n# --- file: levels/first.py\nLEVEL = 1\n\n",
    leftOut: ["README.md"],
  });
});

test("a package may have its class in __init__.py, and a folder may be called tests", async () => {
  const { source } = await joinFiles([file("tests/__init__.py", "a = 1"), file("tests/b.py", "b = 2")]);
  expect(source).toBe("# --- file: environment.py\na = 1\n\n# --- file: b.py\nb = 2\n\n");
});

test("several files without a main file name the one that is missing", async () => {
  expect(await problemOf(file("a.py", "a = 1"), file("b.py", "b = 2"))).toMatch(
    /None of the 2 files is environment\.py or __init__\.py\./,
  );
});

test("files that are no Python text are named", async () => {
  expect(await problemOf(file("notes.txt", "x"))).toMatch("“notes.txt” is not a Python file.");
  expect(await problemOf(file("a.py", new Uint8Array([0xff, 0xfe, 0x41])))).toMatch(
    "“a.py” is not Python text",
  );
  expect(await problemOf(file("a.py", "a\0b"))).toMatch("“a.py” is not Python text");
  expect(await problemOf(file("a.py", " \n"))).toMatch("“a.py” is empty.");
  expect(await problemOf(file("environment.py", "a = 1"), file("my-maps.py", "b = 2"))).toMatch(
    "“my-maps.py” cannot be imported",
  );
});

test("files that are too large together are not read", async () => {
  const half = "#".repeat(MOST_BYTES / 2 + 1);
  expect(await problemOf(file("environment.py", half), file("b.py", half))).toMatch(
    "All Python files together have 257 KiB; an environment may have 256 KiB.",
  );
});

test("a file that cannot be read is named", async () => {
  const unreadable = { size: 1, arrayBuffer: () => Promise.reject(new Error("gone")) } as unknown as Blob;
  expect(await problemOf({ path: "a.py", file: unreadable })).toMatch("“a.py” could not be read.");
});

test("only a wrapper is tried around another environment", () => {
  const wrapper = "import gymnasium\n\nclass Hold(gymnasium.ActionWrapper):\n    pass\n";
  const environment = "class Maze(gymnasium.Env):\n    '''Not a Wrapper.'''\n";
  expect([isWrapper(wrapper, null), isWrapper(environment, null)]).toEqual([true, false]);
  expect(isWrapper(wrapper, { environment: { id: "own:x-v1" } } as never)).toBe(false);
});
