import { describe, expect, it } from "vitest";
import type { ImportPreview } from "@/api/types";
import { mayBeModel, sendable } from "./dialog";
import { whyNot } from "./ImportModelForm";

const preview = { env_id: null, needs_consent: false, notes: [] } as unknown as ImportPreview;

describe("importing a model", () => {
  it("needs an environment, and the approval of a program", () => {
    expect(whyNot(preview, " ", false)).toMatch("environment");
    expect(whyNot(preview, "CartPole-v1", false)).toBeNull();
    expect(whyNot({ ...preview, needs_consent: true }, "CartPole-v1", false)).toMatch("approved");
    expect(whyNot({ ...preview, needs_consent: true }, "CartPole-v1", true)).toBeNull();
  });

  it("takes model files and leaves out hidden ones", () => {
    const named = (name: string) => new File(["x"], name);
    expect(["a.zip", "a.onnx", "a.cleanrl_model", "a.txt"].map((name) => mayBeModel(named(name)))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(sendable([named(".gitattributes"), named("model.zip")]).map((file) => file.name)).toEqual([
      "model.zip",
    ]);
  });
});
