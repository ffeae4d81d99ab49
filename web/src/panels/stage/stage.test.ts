import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Socket } from "@/lib/sockets";
import { enlargedBy } from "./canvas";
import { parseFrame } from "./frame";
import { FramePlayer, type StageReport } from "./player";

function frameBytes(header: object, jpeg: number[] = [1, 2, 3]): ArrayBuffer {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const bytes = new Uint8Array(4 + text.length + jpeg.length);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(text, 4);
  bytes.set(jpeg, 4 + text.length);
  return bytes.buffer;
}
const header = (seq: number) => ({
  seq,
  episode: 1,
  step: seq,
  reward: 1,
  return: seq,
  fps: 30,
  source: "preview",
});

test("a frame is header and picture", () => {
  const frame = parseFrame(frameBytes(header(7), [9, 8]))!;
  expect(frame.header).toEqual(header(7));
  expect([...frame.jpeg]).toEqual([9, 8]);
});

test("a picture of an old console is enlarged with sharp edges, a large one is not", () => {
  expect(enlargedBy({ width: 160, height: 210 })).toBe(4);
  expect(enlargedBy({ width: 600, height: 400 })).toBe(1);
});

test("bytes that are no frame are refused", () => {
  expect(parseFrame(new ArrayBuffer(2))).toBeNull();
  expect(parseFrame(new Uint8Array([255, 255, 0, 0, 1]).buffer)).toBeNull();
  expect(parseFrame(new Uint8Array([1, 0, 0, 0, 123]).buffer)).toBeNull();
});

type FakeSocket = Socket & { acks: number; isClosed: boolean; closeWith(code: number): void };
let sockets: FakeSocket[] = [];
let drawn: number[] = [];
let reports: StageReport[] = [];
let commands: string[] = [];
let decode: (jpeg: Uint8Array) => Promise<void>;
let player: FramePlayer;

beforeEach(() => {
  vi.useFakeTimers();
  [sockets, drawn, reports, commands] = [[], [], [], []];
  decode = async () => {};
  player = new FramePlayer({
    open() {
      const socket: FakeSocket = {
        binaryType: "",
        acks: 0,
        isClosed: false,
        onopen: null,
        onmessage: null,
        onclose: null,
        send: (text) => void (text === "ack" ? socket.acks++ : commands.push(text)),
        close: () => {
          socket.isClosed = true;
        },
        closeWith: (code) => socket.onclose?.({ code }),
      };
      sockets.push(socket);
      return socket;
    },
    async decode(jpeg) {
      await decode(jpeg);
      return { width: jpeg[0]!, height: 1, close: () => {} };
    },
    draw: (picture) => void drawn.push(picture.width),
    edge: (picture) => `rgb(0 0 ${picture.width})`,
    report: (report) => void reports.push(report),
    now: () => Date.now(),
  });
  player.start();
});
afterEach(() => {
  player.stop();
  vi.useRealTimers();
});
const send = (seq: number, source = "preview") =>
  sockets.at(-1)!.onmessage?.({ data: frameBytes({ ...header(seq), source }, [seq]) });
const settle = () => vi.advanceTimersByTimeAsync(0);

test("a frame is acknowledged after it is drawn", async () => {
  let release = () => {};
  decode = () => new Promise((resolve) => (release = resolve));
  send(1);
  await settle();
  expect(sockets[0]!.acks).toBe(0);
  release();
  await settle();
  expect(drawn).toEqual([1]);
  expect(sockets[0]!.acks).toBe(1);
  expect(reports.at(-1)).toMatchObject({ state: "playing", header: header(1) });
});

test("an older frame that decodes later is not drawn over a newer one", async () => {
  const waiting: (() => void)[] = [];
  decode = () => new Promise((resolve) => waiting.push(resolve));
  send(1);
  send(2);
  waiting[1]!();
  await settle();
  waiting[0]!();
  await settle();
  expect(drawn).toEqual([2]);
  expect(sockets[0]!.acks).toBe(2);
});

test("a hidden page acknowledges nothing and pays its debt when it is seen", async () => {
  player.setHidden(true);
  send(1);
  send(2);
  await settle();
  expect(sockets[0]!.acks).toBe(0);
  player.setHidden(false);
  expect(sockets[0]!.acks).toBe(2);
});

test.each(["live", "best"])(
  "a feed (%s) stops while the page is hidden and starts anew when it is seen",
  async (source) => {
    send(1, source);
    await settle();
    player.setHidden(true);
    expect(sockets[0]!.isClosed).toBe(true);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sockets).toHaveLength(1);
    player.setHidden(false);
    expect(sockets).toHaveLength(2);
    send(1, source);
    await settle();
    expect(drawn).toEqual([1, 1]);
  },
);

test("a feed opened by a hidden page stops after its first picture", async () => {
  player.setHidden(true);
  send(1, "best");
  await settle();
  expect(sockets[0]!.isClosed).toBe(true);
});

test("a broken picture gives its credit back", async () => {
  decode = () => Promise.reject(new Error("not a JPEG"));
  send(1);
  await settle();
  expect(drawn).toEqual([]);
  expect(sockets[0]!.acks).toBe(1);
});

test("reports come at most five times a second and the last one is never lost", async () => {
  for (let seq = 1; seq <= 30; seq++) {
    send(seq);
    await vi.advanceTimersByTimeAsync(33);
  }
  await vi.advanceTimersByTimeAsync(200);
  expect(reports.length).toBeLessThanOrEqual(8);
  expect(reports.at(-1)!.header!.seq).toBe(30);
});

test("every step of a play is reported once, however seldom the reports are", async () => {
  for (let seq = 1; seq <= 30; seq++) {
    send(seq, "play");
    await vi.advanceTimersByTimeAsync(33);
  }
  await vi.advanceTimersByTimeAsync(200);
  const steps = reports.flatMap((report) => report.steps ?? []).map(({ step }) => step);
  expect(steps).toEqual(Array.from({ length: 30 }, (_, i) => i + 1));
});

test("a lost connection is opened again, a finished stream is not", async () => {
  sockets[0]!.closeWith(1006);
  await vi.advanceTimersByTimeAsync(1000);
  expect(sockets).toHaveLength(2);
  send(1);
  await settle();
  sockets[1]!.closeWith(1000);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sockets).toHaveLength(2);
  expect(reports.at(-1)!.state).toBe("ended");
});

test("a problem sent instead of a picture is reported, and cleared by the next picture", async () => {
  sockets[0]!.onmessage?.({
    data: frameBytes({ op: "error", message: "It draws nothing.", next_step: "Test it." }, []),
  });
  await settle();
  expect(reports.at(-1)).toMatchObject({ problem: { message: "It draws nothing.", next_step: "Test it." } });
  expect(sockets[0]!.acks).toBe(1);
  send(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(reports.at(-1)).toMatchObject({ state: "playing", problem: null });
});

test("a play without pictures is reported by its numbers", async () => {
  sockets[0]!.onmessage?.({ data: frameBytes({ ...header(3), source: "play" }, []) });
  await settle();
  expect(drawn).toEqual([]);
  expect(reports.at(-1)).toMatchObject({ state: "playing", header: { step: 3 } });
});

test("the keys in use of a play are reported at once", async () => {
  const keys = { op: "controls", controls: { kind: "discrete" } };
  sockets[0]!.onmessage?.({ data: frameBytes(keys, []) });
  await settle();
  expect(reports.at(-1)).toMatchObject({ keys });
});

test("the role in a play is reported at once and kept", async () => {
  const role = { op: "role", role: "watcher", is_free: false, message: "Somebody plays already." };
  sockets[0]!.onmessage?.({ data: frameBytes(role, []) });
  await settle();
  expect(reports.at(-1)).toMatchObject({ role, problem: null });
  expect(sockets[0]!.acks).toBe(1);
  send(1, "play");
  await settle();
  expect(reports.at(-1)).toMatchObject({ role, state: "playing" });
});

test("a command is sent while connected and dropped while not", () => {
  player.send({ op: "pause" });
  expect(commands).toEqual([]);
  sockets[0]!.onopen?.();
  player.send({ op: "pause" });
  expect(commands).toEqual(['{"op":"pause"}']);
});

test("the colour of the edge is reported with the first picture and looked at once a second", async () => {
  send(1);
  await settle();
  expect(reports.at(-1)).toMatchObject({ state: "playing", edge: "rgb(0 0 1)" });
  send(2);
  await vi.advanceTimersByTimeAsync(300);
  expect(reports.at(-1)).toMatchObject({ edge: "rgb(0 0 1)" });
  await vi.advanceTimersByTimeAsync(1_000);
  send(3);
  await vi.advanceTimersByTimeAsync(300);
  expect(reports.at(-1)).toMatchObject({ edge: "rgb(0 0 3)" });
});
