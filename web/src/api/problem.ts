/** An error of the API as the page handles it: one class, made from problem+json or from a dead connection. */
import type { FieldError, Problem } from "./types";

export class ProblemError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail || problem.title);
    this.name = "ProblemError";
  }

  get status(): number {
    return this.problem.status;
  }

  /** Messages by field name, without the leading "body." or "params." of the path. */
  fieldErrors(): Record<string, FieldError> {
    const errors = this.problem.errors ?? [];
    return Object.fromEntries(
      errors.map((error) => [error.field.replace(/^(body\.)?(params\.)?/, ""), error]),
    );
  }
}

export function problemFrom(status: number, body: unknown): ProblemError {
  const given = isRecord(body) ? body : {};
  const text = typeof body === "string" && body.length < 300 ? body : "";
  return new ProblemError({
    type: String(given.type ?? "about:blank"),
    title: String(given.title ?? "The lab refused the request"),
    status,
    detail:
      typeof given.detail === "string"
        ? withoutField(given.detail, given.errors)
        : text || `The lab responded with status ${status}.`,
    next_step: typeof given.next_step === "string" ? given.next_step : null,
    errors: Array.isArray(given.errors) ? (given.errors as FieldError[]) : null,
    allowed: Array.isArray(given.allowed) ? (given.allowed as string[]) : null,
  });
}

/** "params.command: The script …" → "The script …": where there is one field, the page shows which one it is. */
function withoutField(detail: string, errors: unknown): string {
  if (!Array.isArray(errors) || errors.length !== 1) return detail;
  const field = `${(errors[0] as FieldError).field}: `;
  return detail.startsWith(field) ? detail.slice(field.length) : detail;
}

export function unreachable(): ProblemError {
  return new ProblemError({
    type: "urn:rl-lab:unreachable",
    title: "The lab does not respond",
    status: 0,
    detail: "The lab does not respond. Runs continue without it.",
    next_step: "Start it again with rl-lab serve; this page reconnects automatically.",
    errors: null,
    allowed: null,
  });
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
