import { expect, test, vi } from "vitest";
import { type ChunkWorld, chunk, waitingChunks } from "./chunks";

const failure = new TypeError("Failed to fetch dynamically imported module: /assets/SystemPage.js");

function world(answers: boolean[]): ChunkWorld {
  return {
    isBack: vi.fn(async () => answers.shift() ?? true),
    pause: vi.fn(async () => {}),
    reload: vi.fn(() => false),
  };
}

test("a chunk that cannot be fetched waits for the lab and is loaded when it is back", async () => {
  const load = vi.fn().mockRejectedValueOnce(failure).mockResolvedValue("page");
  const away = world([false, false, true]);
  const waited: number[] = [];
  away.pause = vi.fn(async () => void waited.push(waitingChunks.get()));
  expect(await chunk(load, away)()).toBe("page");
  expect(waited).toEqual([1, 1]);
  expect(away.reload).not.toHaveBeenCalled();
  expect(waitingChunks.get()).toBe(0);
});

test("the page reloads only when the lab responds and the file is gone", async () => {
  const away = { ...world([true]), reload: vi.fn(() => true) };
  void chunk(() => Promise.reject(failure), away)();
  await vi.waitFor(() => expect(away.reload).toHaveBeenCalledWith(failure.message));
  expect(away.isBack).toHaveBeenCalledOnce();
});

test("a file that is still gone after the reload is an error", async () => {
  await expect(chunk(() => Promise.reject(failure), world([true]))()).rejects.toBe(failure);
});

test("every part of the page that is loaded later waits for the lab", () => {
  const sources = import.meta.glob<string>("../**/*.tsx", { query: "?raw", import: "default", eager: true });
  const bare = Object.keys(sources).filter((path) => /lazy\(\s*\(\)\s*=>\s*import\(/.test(sources[path]!));
  expect(Object.keys(sources).length).toBeGreaterThan(100);
  expect(bare).toEqual([]);
});
