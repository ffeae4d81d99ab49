import { expect, test } from "vitest";
import { plainAnswer, withoutDirections } from "./plain-text";

const HOSTILE = "invoice\u202Egpj.exe \u2066x\u2069 \u200F\u061C";

test("b12: characters that reorder text are removed from answers, as text and as JSON", async () => {
  const body = JSON.stringify({ name: HOSTILE });
  expect(await plainAnswer(new Response(body)).json()).toEqual({ name: "invoicegpj.exe x " });
  expect(await plainAnswer(new Response(HOSTILE)).text()).toBe("invoicegpj.exe x ");
});

test("b12: letters of any language and emoji stay", () => {
  const text = "שלום نص 日本 👩‍🔬 −3";
  expect(withoutDirections(text)).toBe(text);
});
