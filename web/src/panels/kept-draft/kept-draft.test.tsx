import { act, renderHook } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { useKeptDraft } from "./use-kept-draft";

const FIRST = { name: "", seeds: "1" };
const open = (first = FIRST, key = "protocol.new") => renderHook(() => useKeptDraft(key, first)).result;
const type = (form: ReturnType<typeof open>, name: string) =>
  act(() => form.current.setDraft({ ...form.current.draft, name }));

beforeEach(() => localStorage.clear());

test("what was typed is there again after the form was left", () => {
  type(open(), "nightly");
  expect(open().current).toMatchObject({ draft: { name: "nightly" }, isChanged: true });
  expect(open(FIRST, "protocol.other").current.isChanged).toBe(false);
});

test("a saved or discarded draft is gone", () => {
  const form = open();
  type(form, "nightly");
  act(() => form.current.drop());
  expect([form.current.draft, open().current.draft]).toEqual([FIRST, FIRST]);
});

test("a form that begins with something else does not recall it", () => {
  type(open(), "nightly");
  const other = { name: "", seeds: "2" };
  expect(open(other).current.draft).toEqual(other);
});

test("after a change was saved, the form follows what is saved", () => {
  const { result, rerender } = renderHook(({ first }) => useKeptDraft("metric.a", first), {
    initialProps: { first: FIRST },
  });
  type(result, "nightly");
  const saved = { ...FIRST, name: "nightly" };
  rerender({ first: saved });
  act(() => result.current.drop());
  expect(result.current).toMatchObject({ draft: saved, isChanged: false });
});
