/** The main facts of a snapshot as rows of text. A program may have sent anything. Pure. */
import type { Snapshot } from "@/api/types";

type Part = Record<string, unknown>;

export function snapshotFacts(snapshot: Snapshot): [string, string][] {
  const { python, system, cpu, gpu, blas, environments, fingerprint } = snapshot;
  const rows: [string, string][] = [
    ["Python", text(python, "implementation", "version", "compiler")],
    ["System", text(system, "platform", "kernel", "libc")],
    ["Processor", text(cpu, "model")],
    [
      "GPU",
      [listed(gpu.devices), named("driver", gpu.driver), named("CUDA", gpu.cuda)].filter(Boolean).join(", "),
    ],
    ["BLAS", text(blas, "name", "version")],
    ["Simulators", pairs(environments)],
    [
      "Fingerprint",
      Object.values(fingerprint)
        .map((hash) => String(hash).slice(0, 8))
        .join(" · "),
    ],
  ];
  return rows.filter(([, value]) => value !== "");
}

const text = (part: Part, ...names: string[]): string =>
  names
    .map((name) => part[name])
    .filter((value) => value !== undefined && value !== null && value !== "")
    .map(String)
    .join(" ");

const pairs = (part: Part): string =>
  Object.entries(part)
    .map(([name, version]) => `${name} ${String(version)}`)
    .join(", ");

const listed = (value: unknown): string => (Array.isArray(value) ? value.map(String).join(", ") : "");

const named = (name: string, value: unknown): string => (value ? `${name} ${String(value)}` : "");
