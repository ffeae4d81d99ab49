import { expect, it } from "vitest";
import { helpOf } from "./ChartGrid";

const chart = { series: [], totalPoints: 0 };

it("says what a metric means and where its values come from", () => {
  const help = helpOf({ ...chart, name: "value_loss", source: "TensorBoard tag losses/value_loss" });
  expect(help).toMatch(/\w+.* Source: TensorBoard tag losses\/value_loss\.$/);
  expect(helpOf({ ...chart, name: "my/own", source: "W&B key my/own" })).toBe("Source: W&B key my/own.");
  expect(helpOf({ ...chart, name: "my/own" })).toBeUndefined();
});
