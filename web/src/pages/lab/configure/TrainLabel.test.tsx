import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Button } from "@/ui/Button";
import { TrainLabel } from "./TrainLabel";

test("TRAIN is whole, and what it trains may take as many lines as it needs", () => {
  render(
    <Button>
      <TrainLabel of="Mountain Car Continuous" />
    </Button>,
  );
  const button = screen.getByRole("button", { name: "Train Mountain Car Continuous" });
  expect(button.querySelector(".truncate")).toBeNull();
  expect(screen.getByText("Mountain Car Continuous").className).toContain("whitespace-normal");
});
