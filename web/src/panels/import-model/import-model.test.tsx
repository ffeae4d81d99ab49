import type { DragEvent } from "react";
import { describe, expect, it, vi } from "vitest";
import type { ImportPreview } from "@/api/types";
import { importDialog, modelDrop, sendable } from "./dialog";
import { whyNot } from "./ImportModelForm";

const preview = { env_id: null, needs_consent: false, notes: [] } as unknown as ImportPreview;

const named = (name: string) => new File(["x"], name);

describe("importing a model", () => {
  it("needs an environment, and the approval of a program", () => {
    expect(whyNot(preview, " ", false)).toMatch("environment");
    expect(whyNot(preview, "CartPole-v1", false)).toBeNull();
    expect(whyNot({ ...preview, needs_consent: true }, "CartPole-v1", false)).toMatch("approved");
    expect(whyNot({ ...preview, needs_consent: true }, "CartPole-v1", true)).toBeNull();
  });

  it("opens every file that is dropped, so that the browser does not leave the page for it", () => {
    const preventDefault = vi.fn();
    const files = [named("notes.txt")];
    modelDrop.onDrop({ dataTransfer: { files }, preventDefault } as unknown as DragEvent);
    expect(preventDefault).toHaveBeenCalled();
    expect(importDialog.get().files).toEqual(files);
    importDialog.set({ files: [] });
  });

  it("leaves out hidden files", () => {
    expect(sendable([named(".gitattributes"), named("model.zip")]).map((file) => file.name)).toEqual([
      "model.zip",
    ]);
  });
});
