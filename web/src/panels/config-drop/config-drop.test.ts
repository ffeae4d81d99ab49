import type { DragEvent } from "react";
import { expect, test, vi } from "vitest";
import { adoptDialog } from "@/panels/adopt-dialog/dialog";
import * as toasts from "@/ui/toasts";
import { configDrop, pickConfig } from "./config-drop";

function drop(use: Parameters<typeof configDrop>[0], file: File | null, text = "", isDirectory = false) {
  configDrop(use).onDrop({
    preventDefault: () => {},
    dataTransfer: {
      files: file ? [file] : [],
      items: [{ webkitGetAsEntry: () => ({ isDirectory }) }],
      getData: (kind: string) => (kind === "text/plain" ? text : ""),
    },
  } as unknown as DragEvent);
}

test("a dropped configuration is handed on with the name of its file", async () => {
  const use = vi.fn();
  drop(use, new File(['{"algorithm":"ppo","seed":3}'], "config.json"));
  await vi.waitFor(() => expect(use).toHaveBeenCalledWith({ algorithm: "ppo", seed: 3 }, "config.json"));
});

test.each([
  [new File(["PK"], "model.zip"), "“model.zip” is not JSON. Drop the config.json of a run."],
  [new File(["x".repeat(1_000_001)], "big.json"), "“big.json” is not JSON. Drop the config.json of a run."],
])("a wrong file is answered with the reason", async (file, reason) => {
  const toast = vi.spyOn(toasts, "toast");
  const use = vi.fn();
  drop(use, file);
  await vi.waitFor(() => expect(toast).toHaveBeenCalledWith(reason, { tone: "warn" }));
  expect(use).not.toHaveBeenCalled();
});

test("a folder or a path is one to adopt", () => {
  const use = vi.fn();
  drop(use, null, "/data/runs");
  expect(adoptDialog.get()).toMatchObject({ isOpen: true, folder: "/data/runs" });
  const toast = vi.spyOn(toasts, "toast");
  drop(use, new File([], "runs"), "", true);
  expect(toast).toHaveBeenCalledWith(expect.stringContaining("path of a dropped folder"), { tone: "warn" });
});

test("a chosen file is the same as a dropped one", async () => {
  const use = vi.fn();
  const click = vi.spyOn(HTMLInputElement.prototype, "click").mockImplementation(function (
    this: HTMLInputElement,
  ) {
    Object.defineProperty(this, "files", { value: [new File(['{"algorithm":"dqn"}'], "config.json")] });
    this.dispatchEvent(new Event("change"));
  });
  pickConfig(use);
  await vi.waitFor(() => expect(use).toHaveBeenCalledWith({ algorithm: "dqn" }, "config.json"));
  click.mockRestore();
});
