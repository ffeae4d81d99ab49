import { expect, test } from "vitest";
import { EMPTY, newRunOfScript, withPythonPath, withVariable } from "./draft";

test("a PYTHONPATH that the lab proposes becomes a variable of the run", () => {
  const wanted = newRunOfScript({ ...EMPTY, line: "python dqn.py", variables: "SEED=1" });
  expect(withPythonPath(wanted, "/repo").params).toMatchObject({ env: { SEED: "1", PYTHONPATH: "/repo" } });
});

test("a variable is set once among those that were typed", () => {
  expect(withVariable("SEED=1\nPYTHONPATH=/old", "PYTHONPATH", "/repo")).toBe("SEED=1\nPYTHONPATH=/repo");
  expect(withVariable("", "PYTHONPATH", "/repo")).toBe("PYTHONPATH=/repo");
});
