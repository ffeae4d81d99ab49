import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Socket } from "@/lib/sockets";
import { type Batch, Live } from "./live";

interface FakeSocket extends Socket {
  sent: { op: string; topic: string; since?: unknown }[];
  accept(): void;
  deliver(message: object): void;
  drop(code?: number): void;
}
let sockets: FakeSocket[] = [];
const last = () => sockets.at(-1)!;

function openFake(): Socket {
  const socket: FakeSocket = {
    sent: [],
    binaryType: "",
    onopen: null,
    onmessage: null,
    onclose: null,
    send: (text) => socket.sent.push(JSON.parse(text)),
    close: () => {},
    accept: () => socket.onopen?.(),
    deliver: (message) => socket.onmessage?.({ data: JSON.stringify(message) }),
    drop: (code = 1006) => socket.onclose?.({ code }),
  };
  sockets.push(socket);
  return socket;
}

let live: Live;
let refusals = 0;
beforeEach(() => {
  vi.useFakeTimers();
  sockets = [];
  refusals = 0;
  live = new Live(openFake, { random: () => 1, onRefused: () => refusals++ });
  live.connect();
});
afterEach(() => {
  live.close();
  vi.useRealTimers();
});

const metric = (id: number) => ({ id, reward: id * 10 });
const TOPIC = "run:abc:metrics";
const collect = () => {
  const batches: Batch[] = [];
  return {
    batches,
    ids: () => batches.flatMap((b) => b.items.map((i) => (i as { id: number }).id)),
    take: (b: Batch) => void batches.push(b),
  };
};

test("a subscription made before the connection is sent when it opens", () => {
  live.subscribe(TOPIC, 7, () => {});
  expect(last().sent).toEqual([]);
  last().accept();
  expect(last().sent).toEqual([{ op: "subscribe", topic: TOPIC, since: 7 }]);
  expect(live.state.get()).toBe("connected");
});

test("after a lost connection it resumes at its last cursor, without gap or double", () => {
  const seen = collect();
  live.subscribe(TOPIC, 0, seen.take);
  last().accept();
  last().deliver({ topic: TOPIC, cursor: 2, items: [metric(1), metric(2)] });
  last().drop();
  expect(live.state.get()).toBe("reconnecting");
  vi.advanceTimersByTime(300);
  expect(sockets).toHaveLength(2);
  last().accept();
  expect(last().sent).toEqual([{ op: "subscribe", topic: TOPIC, since: 2 }]);
  last().deliver({ topic: TOPIC, cursor: 4, items: [metric(2), metric(3), metric(4)] });
  last().deliver({ topic: TOPIC, cursor: 4, items: [metric(3), metric(4)] });
  expect(seen.ids()).toEqual([1, 2, 3, 4]);
});

test("a second subscriber further back gets what it misses and the first gets nothing twice", () => {
  const [first, second] = [collect(), collect()];
  live.subscribe(TOPIC, 0, first.take);
  last().accept();
  last().deliver({ topic: TOPIC, cursor: 3, items: [metric(1), metric(2), metric(3)] });
  live.subscribe(TOPIC, 1, second.take);
  expect(last().sent.at(-1)).toEqual({ op: "subscribe", topic: TOPIC, since: 1 });
  last().deliver({ topic: TOPIC, cursor: 4, items: [metric(2), metric(3), metric(4)] });
  expect(first.ids()).toEqual([1, 2, 3, 4]);
  expect(second.ids()).toEqual([2, 3, 4]);
});

test("the wire subscription ends with its last subscriber", () => {
  const stopOne = live.subscribe(TOPIC, null, () => {});
  const stopTwo = live.subscribe(TOPIC, null, () => {});
  last().accept();
  stopOne();
  expect(last().sent.filter((m) => m.op === "unsubscribe")).toEqual([]);
  stopTwo();
  expect(last().sent.at(-1)).toEqual({ op: "unsubscribe", topic: TOPIC });
});

test("retries with growing delays, and becomes stale after a while", () => {
  last().accept();
  const waits: number[] = [];
  for (let i = 0; i < 8; i++) {
    const before = sockets.length;
    last().drop();
    let waited = 0;
    while (sockets.length === before) {
      vi.advanceTimersByTime(50);
      waited += 50;
    }
    waits.push(waited);
  }
  expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
  expect(live.state.get()).toBe("stale");
  last().accept();
  expect(live.state.get()).toBe("connected");
});

test("pings keep it alive, silence makes it reconnect", () => {
  last().accept();
  for (let i = 0; i < 6; i++) {
    vi.advanceTimersByTime(15_000);
    last().deliver({ op: "ping" });
  }
  expect(sockets).toHaveLength(1);
  vi.advanceTimersByTime(41_000);
  expect(sockets.length).toBeGreaterThan(1);
});

test("garbage on the wire is ignored", () => {
  const seen = collect();
  live.subscribe(TOPIC, null, seen.take);
  last().accept();
  last().onmessage?.({ data: "not json" });
  last().onmessage?.({ data: new ArrayBuffer(4) });
  last().deliver({ topic: TOPIC, cursor: 1, items: "no" });
  expect(seen.batches).toEqual([]);
});

test("a newcomer who wants the recent past gets it, and the others nothing twice", () => {
  const [first, second] = [collect(), collect()];
  live.subscribe(TOPIC, 0, first.take);
  last().accept();
  last().deliver({ topic: TOPIC, cursor: 2, items: [metric(1), metric(2)] });
  live.subscribe(TOPIC, null, second.take);
  expect(last().sent.at(-1)).toEqual({ op: "subscribe", topic: TOPIC, since: null });
  last().deliver({ topic: TOPIC, cursor: 3, items: [metric(1), metric(2), metric(3)] });
  expect(first.ids()).toEqual([1, 2, 3]);
  expect(second.ids()).toEqual([1, 2, 3]);
});

test("a reset reaches the subscriber even when it carries nothing", () => {
  const seen = collect();
  live.subscribe("runs", 50, seen.take);
  last().accept();
  last().deliver({ topic: "runs", cursor: 20, reset: true, items: [] });
  expect(seen.batches).toMatchObject([{ reset: true, cursor: 20 }]);
});

test("a connection that is refused, or closed by a sign-out, asks whether the session still holds", () => {
  last().drop();
  expect(refusals).toBe(1);
  vi.advanceTimersByTime(300);
  last().accept();
  last().drop();
  expect(refusals).toBe(1);
  vi.advanceTimersByTime(300);
  last().accept();
  last().drop(4401);
  expect(refusals).toBe(2);
});
