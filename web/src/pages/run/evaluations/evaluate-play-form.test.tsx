import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { TooltipProvider } from "@/ui/Tooltip";
import { EvaluatePlayForm } from "./EvaluatePlayForm";

afterEach(() => vi.unstubAllGlobals());

const nightly = {
  name: "nightly",
  version: 2,
  env_id: "",
  threshold: 200,
  judged_by: "return",
  passes: "at_least",
};
const CODES = [{ name: "soft", versions: [{ name: "soft", version: 1 }] }];

test("the recorded episodes are measured by a protocol, or by code", async () => {
  vi.stubGlobal("fetch", async ({ url }: Request) =>
    Response.json(url.includes("/protocols") ? [{ name: "nightly", versions: [nightly] }] : CODES),
  );
  const onSubmit = vi.fn();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <TooltipProvider>
        <EvaluatePlayForm envId="CartPole-v1" isBusy={false} onSubmit={onSubmit} />
      </TooltipProvider>
    </QueryClientProvider>,
  );
  const submit = () => fireEvent.click(screen.getByRole("button", { name: /Measure/ }));
  await screen.findByRole("option", { name: "soft@v1" });
  fireEvent.change(screen.getByLabelText("Evaluation code"), { target: { value: "soft@v1" } });
  submit();
  expect(onSubmit).toHaveBeenLastCalledWith({ code: { name: "soft", version: 1 }, record: true });
  await screen.findByRole("option", { name: "nightly@v2" });
  fireEvent.change(screen.getByLabelText("Protocol"), { target: { value: "nightly@v2" } });
  expect(screen.getByText(/passes with return ≥ 200 count here/)).toBeTruthy();
  submit();
  expect(onSubmit).toHaveBeenLastCalledWith({ protocol: "nightly@v2", record: true });
});
