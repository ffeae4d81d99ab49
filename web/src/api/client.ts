/** The typed HTTP client. Every failure is thrown as a ProblemError; a 401 closes the session. */
import createClient from "openapi-fetch";
import { plainAnswer } from "./plain-text";
import { problemFrom, unreachable } from "./problem";
import type { paths } from "./schema.gen";
import { session } from "./session";
import { keyHeaders } from "./session-keys";

export const api = createClient<paths>({
  baseUrl: "",
  credentials: "same-origin",
  fetch: async (request) => plainAnswer(await globalThis.fetch(request)),
});

api.use({
  onRequest({ request }) {
    for (const [name, value] of Object.entries(keyHeaders())) request.headers.set(name, value);
  },
  async onResponse({ response }) {
    if (response.ok) return;
    if (response.status === 401) session.set("closed");
    const text = await response.text();
    throw problemFrom(response.status, parsed(text));
  },
  onError: () => unreachable(),
});

/** The data of an answer: `await data(api.GET("/api/health"))`. */
export async function data<T>(answer: Promise<{ data?: T }>): Promise<T> {
  return (await answer).data as T;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
