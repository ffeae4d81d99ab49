import { fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";
import type { FieldError } from "@/api/types";
import { TooltipProvider } from "@/ui/Tooltip";
import { type Field, fieldsFor, fieldsOf, groupsOf, type Values } from "./fields";
import { SchemaForm } from "./SchemaForm";
import { boundsOf, parseText, problemOf, sliderScale } from "./values";

/** As pydantic writes it for a Params class. */
const schema = {
  $defs: { Activation: { enum: ["tanh", "relu"], type: "string" } },
  properties: {
    learning_rate: {
      default: 0.0003,
      title: "Learning rate",
      description: "Step size of the optimiser.",
      "x-too-high": "the reward collapses",
      "x-usual": "0.0001 to 0.003",
      exclusiveMinimum: 0,
      maximum: 1,
      type: "number",
      "x-group": "Learning",
      "x-scale": "log",
    },
    gamma: { default: 0.99, minimum: 0, maximum: 1, type: "number", "x-group": "Learning" },
    n_steps: { default: 2048, minimum: 1, maximum: 65536, type: "integer", "x-group": "Rollout" },
    target_kl: {
      anyOf: [{ type: "number", exclusiveMinimum: 0 }, { type: "null" }],
      default: null,
      "x-group": "Learning",
      "x-advanced": true,
    },
    activation: { $ref: "#/$defs/Activation", default: "tanh", "x-group": "Network" },
    net_arch: {
      default: [64, 64],
      items: { type: "integer" },
      maxItems: 4,
      type: "array",
      "x-group": "Network",
    },
    normalize: { default: true, type: "boolean", "x-group": "Learning" },
  },
};
const field = (name: string): Field => fieldsOf(schema).find((f) => f.name === name)!;

test("kinds, bounds, groups and flags are read from the schema", () => {
  expect(fieldsOf(schema).map((f) => f.kind)).toEqual([
    "number",
    "number",
    "integer",
    "number",
    "choice",
    "integers",
    "boolean",
  ]);
  expect(groupsOf(fieldsOf(schema)).map((g) => g.title)).toEqual(["Learning", "Rollout", "Network"]);
  expect(field("target_kl")).toMatchObject({
    nullable: true,
    isAdvanced: true,
    min: 0,
    isMinOpen: true,
    default: null,
  });
  expect(field("activation").choices).toEqual(["tanh", "relu"]);
});

test.each([
  ["gamma", 1.5, "Must be at least 0 and at most 1."],
  ["learning_rate", 0, "Must be above 0 and at most 1."],
  ["n_steps", 2.5, "A whole number is needed."],
  ["n_steps", "many", "This is not a number."],
  ["net_arch", [64, 64, 64, 64, 64], "At most 4 numbers."],
  ["target_kl", null, null],
  ["gamma", null, "A value is needed."],
])("%s = %s: %s", (name, value, problem) => expect(problemOf(field(name), value)).toBe(problem));

test("typed text becomes a value", () => {
  expect(parseText(field("learning_rate"), "3e-4")).toBe(0.0003);
  expect(parseText(field("n_steps"), "10 000")).toBe(10000);
  expect(parseText(field("net_arch"), "[256, 128]")).toEqual([256, 128]);
  expect(parseText(field("target_kl"), "")).toBeNull();
});

test("the slider of a log field moves by factors and comes back to where it was", () => {
  const scale = sliderScale(field("learning_rate"))!;
  expect(scale.toValue(0.5)).toBeCloseTo(0.001, 6);
  expect(scale.toValue(scale.toPosition(0.0003))).toBeCloseTo(0.0003, 6);
  expect(boundsOf(field("learning_rate"))).toBe("above 0 and at most 1");
});

function Form({ errors }: { errors?: Record<string, FieldError> }) {
  const [values, setValues] = useState<Values>({});
  return (
    <TooltipProvider>
      <SchemaForm schema={schema} values={values} onChange={setValues} errors={errors} />
      <output>{JSON.stringify(values)}</output>
    </TooltipProvider>
  );
}

test("a value out of bounds shows an error at the field and reset restores it", () => {
  render(<Form />);
  const gamma = screen.getByLabelText("Gamma");
  fireEvent.change(gamma, { target: { value: "1.5" } });
  expect(screen.getByRole("alert").textContent).toBe("Must be at least 0 and at most 1.");
  expect(gamma.getAttribute("aria-invalid")).toBe("true");
  fireEvent.click(screen.getByLabelText("Reset Gamma"));
  expect((gamma as HTMLInputElement).value).toBe("0.99");
  expect(screen.queryByRole("alert")).toBeNull();
});

test("the server's words appear at their field, and unfold it", () => {
  render(
    <Form
      errors={{ target_kl: { field: "target_kl", message: "Too small for this batch size.", allowed: null } }}
    />,
  );
  expect(screen.getByRole("alert").textContent).toBe("Too small for this batch size.");
  expect(screen.getByLabelText("Target kl").closest("details")!.open).toBe(true);
});

test("a group with only advanced fields is folded until one of them is changed", () => {
  const options = { properties: { record: { type: "boolean", default: true, "x-advanced": true } } };
  const { rerender } = render(<SchemaForm schema={options} values={{}} onChange={() => {}} />);
  const details = screen.getByText("Show 1").closest("details")!;
  expect(details.open).toBe(false);
  rerender(<SchemaForm schema={options} values={{ record: false }} onChange={() => {}} />);
  expect(details.open).toBe(true);
});

test("half-typed numbers are left alone", () => {
  render(<Form />);
  const rate = screen.getByLabelText("Learning rate") as HTMLInputElement;
  fireEvent.change(rate, { target: { value: "1e-" } });
  expect(rate.value).toBe("1e-");
  fireEvent.change(rate, { target: { value: "1e-4" } });
  expect(rate.value).toBe("1e-4");
  expect(screen.getByRole("status").textContent).toContain('"learning_rate":0.0001');
});

test("the help teaches, next to the name that the command line uses", async () => {
  render(
    <TooltipProvider>
      <Form />
    </TooltipProvider>,
  );
  fireEvent.click(screen.getByLabelText("What Learning rate does"));
  const text = (await screen.findByRole("tooltip")).textContent;
  expect(screen.getByText("learning_rate")).toBeTruthy();
  expect(text).toContain("Too high looks like: the reward collapses");
  expect(text).toContain("Usual: 0.0001 to 0.003");
  expect(text).toContain("Allowed: above 0 and at most 1.");
});

test("focus that passes a ⓘ opens nothing over the error before it", () => {
  render(
    <TooltipProvider>
      <Form />
    </TooltipProvider>,
  );
  const tip = screen.getByLabelText("What Learning rate does");
  fireEvent.focus(tip);
  expect(tip.getAttribute("aria-expanded")).toBe("false");
  expect(screen.queryByRole("tooltip")).toBeNull();
});

test("a parameter of continuous actions is left out for discrete ones", () => {
  const fields = fieldsOf({
    properties: { log_std_init: { type: "number", "x-actions": "continuous" }, gamma: { type: "number" } },
  });
  const names = (actions?: string) => fieldsFor(fields, actions).map((one) => one.name);
  expect(names("discrete")).toEqual(["gamma"]);
  expect(names("continuous")).toEqual(["log_std_init", "gamma"]);
  expect(names()).toEqual(["log_std_init", "gamma"]);
});

/** As pydantic writes the wrapper *normalise observations*. */
const normalise = {
  properties: {
    mean: { anyOf: [{ items: { type: "number" }, type: "array" }, { type: "null" }], default: null },
    deviation: {
      anyOf: [
        { items: { exclusiveMinimum: 0, type: "number" }, maxItems: 3, type: "array" },
        { type: "null" },
      ],
      default: null,
    },
  },
};

test("a list of numbers takes fractions, and each number keeps its bounds", () => {
  const [mean, deviation] = fieldsOf(normalise) as [Field, Field];
  expect([mean.kind, field("net_arch").kind]).toEqual(["numbers", "integers"]);
  expect(parseText(mean, "0.5, −1.25 3e-2")).toEqual([0.5, -1.25, 0.03]);
  expect(parseText(mean, "")).toBeNull();
  expect(problemOf(mean, parseText(mean, "0.5, x"))).toContain("Numbers separated by commas");
  expect(problemOf(deviation, [0.5, 0])).toBe("Each number must be above 0.");
  expect(problemOf(deviation, [1, 2, 3, 4])).toBe("At most 3 numbers.");
  expect(problemOf(field("net_arch"), parseText(field("net_arch"), "64.5"))).toContain("Whole numbers");
});

test("fields without groups have no heading; a group with a name keeps it", () => {
  const { rerender } = render(<SchemaForm schema={normalise} values={{}} onChange={() => {}} />);
  expect(screen.queryByText("Other")).toBeNull();
  rerender(<Form />);
  expect(screen.getByText("Rollout")).toBeTruthy();
});
