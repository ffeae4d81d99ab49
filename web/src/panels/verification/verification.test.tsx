import { expect, test } from "vitest";
import type { Run, Snapshot, Verification } from "@/api/types";
import { breakText, exactResumeOf, whyNotCertified } from "@/entities/certificates/words";
import { outcomeOf, whyNotVerified } from "@/entities/verifications/words";
import { snapshotFacts } from "./snapshot-facts";

const run = { status: "succeeded", source: null, progress: { timestep: 10 } } as unknown as Run;

test("a training that has ended can be verified, others say why not", () => {
  expect(whyNotVerified(run, false)).toBeNull();
  expect(whyNotVerified({ ...run, status: "running" }, false)).toMatch(/when it has ended/);
  expect(whyNotVerified(run, true)).toMatch(/--against/);
  expect(whyNotVerified({ ...run, progress: { ...run.progress, timestep: 0 } }, false)).toMatch(/first step/);
});

test("the badge of a verification is its verdict, or its state while it has none", () => {
  const result = (verdict: string) =>
    ({ result: { verdict }, status: "succeeded" }) as unknown as Verification;
  expect(outcomeOf(result("identical"))).toEqual({ word: "identical", tone: "good" });
  expect(outcomeOf(result("different"))).toEqual({ word: "different", tone: "warn" });
  expect(outcomeOf({ result: null, status: "failed" })).toEqual({ word: "failed", tone: "plain" });
});

test("a snapshot is shown by its main facts, whatever a program has sent", () => {
  const empty = {
    python: {},
    system: {},
    cpu: {},
    gpu: {},
    blas: {},
    environments: {},
    packages: {},
    fingerprint: {},
    variables: {},
  };
  const snapshot = {
    ...empty,
    python: { version: "3.11.7", implementation: "CPython" },
    gpu: { driver: "550.1", devices: ["H200"] },
    environments: { gymnasium: "1.4.0", box2d: 2 },
  } as unknown as Snapshot;
  expect(snapshotFacts(snapshot)).toEqual([
    ["Python", "CPython 3.11.7"],
    ["GPU", "H200, driver 550.1"],
    ["Simulators", "gymnasium 1.4.0, box2d 2"],
  ]);
});

test("a run that was certified shows the verdict of its newest certificate", () => {
  expect(exactResumeOf({ exact_resume: null })).toBeNull();
  expect(exactResumeOf({ exact_resume: "identical" })).toEqual({
    word: "Exact resume: certified",
    tone: "good",
  });
  expect(exactResumeOf({ exact_resume: "different" })?.tone).toBe("warn");
  expect(whyNotCertified(run, true)).toMatch(/whole state of a script/);
  expect(whyNotCertified({ ...run, status: "created" }, false)).toBeNull();
});

test("each break is told with its steps and its verdict", () => {
  const one = { step: 1234, resumed_at: 1000, first_difference: null } as Parameters<typeof breakText>[0];
  expect(breakText({ ...one, kind: "stop" })).toBe("Stopped at step 1,234, resumed at 1,000: identical");
  expect(breakText({ ...one, kind: "kill" })).toMatch(/^Killed \(SIGKILL\) at step 1,234/);
  expect(breakText({ ...one, kind: "checkpoint" })).toBe(
    "Resumed from the checkpoint of step 1,000: identical",
  );
});
