import { describe, expect, it } from "vitest";
import { problemFrom } from "@/api/problem";
import type { DatasetVersion } from "@/api/types";
import { problemsOf } from "./problems";
import { PART_BYTES, sendFile, type UploadLab } from "./upload-file";
import { integrityOf, readSpelled, returnText, shareText, spaceText, spell, verificationOf } from "./words";

describe("words", () => {
  it("spells a version as the command line does", () => {
    expect(spell({ name: "lander", version: 2 })).toBe("lander@v2");
    expect(spell({ name: "lander" })).toBe("lander");
    expect(readSpelled("lander@v12")).toEqual({ name: "lander", version: 12 });
    expect(readSpelled("lander")).toEqual({ name: "lander", version: undefined });
  });

  it("describes spaces", () => {
    expect(spaceText({ type: "Discrete", n: 4 })).toBe("one of 4");
    expect(spaceText({ type: "MultiDiscrete", nvec: [3, 2] })).toBe("one of 3 × 2");
    expect(spaceText({ type: "MultiBinary", shape: [5] })).toBe("5 switches, on or off");
    expect(spaceText({ type: "Box", shape: [84, 84, 3], low: 0, high: 255 })).toBe(
      "84 × 84 × 3 numbers from 0 to 255",
    );
    expect(spaceText({ type: "Box", shape: [2], low: [-1, -2], high: [1, 2] })).toBe(
      "2 numbers from −2 to 2",
    );
    expect(spaceText({ type: "Box", shape: [1], low: [null], high: 1 })).toBe("1 number");
    expect(
      spaceText({
        type: "Dict",
        spaces: { goal: { type: "Discrete", n: 2 }, map: { type: "Box", shape: [3] } },
      }),
    ).toBe("goal: one of 2; map: 3 numbers");
    expect(spaceText({ type: "Text" })).toBe("Text");
  });

  it("says what a badge means, and names a damaged file", () => {
    const version = { integrity: "damaged", integrity_message: "rewards.npy has another checksum." };
    expect(integrityOf(version as DatasetVersion)).toMatchObject({ word: "damaged", tone: "warn" });
    expect(integrityOf(version as DatasetVersion).meaning).toMatch(/^rewards\.npy/);
    expect(verificationOf({ verification: null }).word).toBe("not verified");
    const found = { outcome: "identical" as const, at: "", checked: 7, unseeded: 2 };
    const verification = { ...found, episode: null, step: null, message: "" };
    expect(verificationOf({ verification }).meaning).toBe(
      "7 episodes re-simulated: every step is identical. 2 episodes without a known seed cannot be.",
    );
  });

  it("writes returns and shares", () => {
    expect(returnText(null)).toBe("–");
    expect(returnText({ return_mean: -12.5, return_std: 3 } as DatasetVersion["statistics"])).toBe(
      "−12.5 ± 3",
    );
    expect([shareText(0, 10), shareText(3, 10_000), shareText(5, 10)]).toEqual([
      "0",
      "3 of 10,000 (0.03 %)",
      "5 of 10 (50 %)",
    ]);
  });
});

it("errors of the lab are shown at their field", () => {
  const errors = [
    { field: "body.operation.make.choose.return_min", message: "Not a number." },
    { field: "operation.collect.policies.0.share", message: "Too small." },
    { field: "name", message: "Taken." },
  ];
  expect(problemsOf(problemFrom(422, { errors }))).toEqual({
    return_min: "Not a number.",
    "policies.0.share": "Too small.",
    name: "Taken.",
  });
  expect(problemsOf(problemFrom(409, { detail: "The name lander exists." }))).toEqual({
    name: "The name lander exists.",
  });
  expect(problemsOf(problemFrom(500, {}))).toEqual({});
});

describe("an upload", () => {
  const size = PART_BYTES * 2 + 5;
  const slice = (from: number, to: number) => ({ from, to });
  const file = { name: "a.hdf5", size, slice } as unknown as File;
  const { signal } = new AbortController();
  const onProgress = () => undefined;

  /** Has `received` bytes of an earlier upload; refuses as often as told. */
  function lab(received = 0, refusals = 0) {
    const sent: number[] = [];
    const take = async (id: string, offset: number) => {
      if (refusals-- > 0) throw problemFrom(409, { detail: "Another connection sends it." });
      sent.push(offset);
      return { id, received: Math.min(size, offset + PART_BYTES) };
    };
    const fake: UploadLab = {
      begin: () => take("u1", 0),
      find: async (id) => ({ id, received }),
      send: take,
      pause: async () => undefined,
    };
    return { fake, sent };
  }

  it("is sent in parts, and resumes where the lab is", async () => {
    const whole = lab();
    expect(await sendFile(whole.fake, { file, signal, onProgress })).toEqual({ id: "u1", received: size });
    expect(whole.sent).toEqual([0, PART_BYTES, PART_BYTES * 2]);
    const rest = lab(PART_BYTES, 2);
    await sendFile(rest.fake, { file, id: "u9", signal, onProgress });
    expect(rest.sent).toEqual([PART_BYTES, PART_BYTES * 2]);
  });

  it("stops when it is paused, when the lab takes nothing, and when there is nothing to send", async () => {
    const pause = new AbortController();
    pause.abort();
    await expect(sendFile(lab().fake, { file, signal: pause.signal, onProgress })).rejects.toThrow();
    const refused = sendFile(lab(0, 99).fake, { file, id: "u1", signal, onProgress });
    await expect(refused).rejects.toThrow("does not take");
    const empty = { name: "a", size: 0 } as File;
    await expect(sendFile(lab().fake, { file: empty, signal, onProgress })).rejects.toThrow("empty");
  });
});
