import { expect, test } from "vitest";
import type { Socket } from "@/lib/sockets";
import type { Moment, Opened, ReplayEvent } from "./messages";
import { ReplayPlayer } from "./player";
import { afterCommand, afterEvent, opening } from "./state";
import { columnsOf, extentOf } from "./strip";
import { actionText, observationBars, shortText, thoughtsOf } from "./thoughts";

const opened: Opened = {
  op: "opened",
  env_id: "CartPole-v1",
  observation_names: ["position", "velocity"],
  action_names: ["left", "right"],
  length: 100,
  render_fps: 50,
  rewards: [],
  actions: [],
  values: [],
  who: [],
  exact: true,
  note: "",
  own_name: "",
  own_note: "",
  own_rewards: [],
  own_terms: {},
};
const moment = (change: Partial<Moment> = {}): Moment =>
  ({
    seq: 1,
    heard: 99,
    step: 5,
    reward: 1,
    return: 5,
    playing: false,
    speed: 1,
    info: {},
    ...change,
  }) as Moment;

function message(header: object): ArrayBuffer {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const bytes = new Uint8Array(4 + text.length);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(text, 4);
  return bytes.buffer;
}

function lab() {
  const sent: string[] = [];
  const reported: ReplayEvent[] = [];
  const opens: number[] = [];
  let drawn = 0;
  let decoding = Promise.resolve();
  const socket: Socket = {
    binaryType: "",
    send: (text) => sent.push(text),
    close: () => {},
    onopen: null,
    onmessage: null,
    onclose: null,
  };
  const player = new ReplayPlayer({
    open: (step) => {
      opens.push(step);
      return socket;
    },
    decode: async () => {
      await decoding;
      return { width: 1, height: 1, close: () => {} };
    },
    draw: () => drawn++,
    edge: () => `rgb(0 0 ${drawn})`,
    now: () => 0,
    report: (event) => reported.push(event),
  });
  const deliver = async (header: object) => {
    socket.onmessage!({ data: message(header) });
    await new Promise((resolve) => setTimeout(resolve, 0));
  };
  /** Pictures are decoded only after the returned function is called. */
  const decodeLater = () => {
    let release = () => {};
    decoding = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  };
  return { player, socket, sent, reported, opens, deliver, decodeLater, drawn: () => drawn };
}

test("every message is acknowledged, and a picture is drawn and reported", async () => {
  const { player, sent, reported, deliver, drawn } = lab();
  player.start(7);
  await deliver(opened);
  await deliver(moment());
  expect(sent.filter((text) => text === "ack")).toHaveLength(2);
  expect(sent).toContain('{"op":"seek","step":7,"n":1}');
  expect(reported.map((item) => item.kind)).toEqual(["opened", "moment"]);
  expect(drawn()).toBe(1);
});

test("the colour of the picture's edge goes with the picture to the margins", async () => {
  const { player, reported, deliver } = lab();
  player.start(0);
  await deliver(opened);
  await deliver(moment());
  expect(reported.at(-1)).toMatchObject({ kind: "moment", edge: "rgb(0 0 1)" });
  expect(reported.reduce(afterEvent, opening(0)).edge).toBe("rgb(0 0 1)");
});

test("what is wished before the episode is open is granted once it is", async () => {
  const { player, sent, deliver } = lab();
  player.start(0);
  player.send({ op: "seek", step: 3 });
  player.send({ op: "play" });
  expect(sent).toEqual([]);
  await deliver(opened);
  expect(sent.slice(0, 2)).toEqual(['{"op":"seek","step":3,"n":1}', '{"op":"play","n":2}']);
});

test("an older picture is not drawn over a newer one", async () => {
  const { player, deliver, drawn } = lab();
  player.start(0);
  await deliver(moment({ seq: 5 }));
  await deliver(moment({ seq: 4 }));
  expect(drawn()).toBe(1);
});

test("a picture decoded late does not take back a pause", async () => {
  const { player, reported, deliver, decodeLater } = lab();
  player.start(0);
  await deliver(opened);
  player.send({ op: "play" });
  const release = decodeLater();
  await deliver(moment({ seq: 2, heard: 2, playing: true }));
  player.send({ op: "pause" });
  await deliver({ op: "state", heard: 3, playing: false, speed: 1 });
  release();
  await new Promise((resolve) => setTimeout(resolve, 0));
  const last = reported.at(-1)!;
  expect(last).toMatchObject({ kind: "moment", moment: { playing: false } });
});

test("a picture sent before the lab heard of the pause does not flip the button", async () => {
  const { player, reported, deliver } = lab();
  player.start(0);
  await deliver(opened);
  player.send({ op: "play" });
  player.send({ op: "pause" });
  await deliver(moment({ seq: 2, heard: 2, playing: true }));
  expect(reported.at(-1)).toMatchObject({ moment: { playing: false } });
  await deliver(moment({ seq: 3, heard: 3, playing: false }));
  expect(reported.at(-1)).toMatchObject({ moment: { playing: false } });
});

test("a refusal is reported and not tried again", async () => {
  const { player, socket, reported, opens, deliver } = lab();
  player.start(0);
  await deliver({ op: "error", message: "This run keeps no recordings." });
  socket.onclose!({ code: 1011 });
  expect(reported.at(-1)).toMatchObject({
    kind: "failed",
    failure: { message: "This run keeps no recordings." },
  });
  expect(opens).toEqual([0]);
});

test("a command takes effect at once and stays within the episode", () => {
  const ready = afterEvent(opening(0), { kind: "opened", opened });
  expect(afterCommand(ready, { op: "seek", step: 40 }).step).toBe(40);
  expect(afterCommand(ready, { op: "seek", step: 900 }).step).toBe(100);
  expect(afterCommand({ ...ready, playing: true }, { op: "step", by: -3 })).toMatchObject({
    playing: false,
    step: 0,
  });
});

test("a link beyond the end opens at the end", () => {
  expect(afterEvent(opening(5000), { kind: "opened", opened }).step).toBe(100);
});

test("the strip keeps the highest and lowest reward behind each pixel", () => {
  const rewards = new Array(1000).fill(0);
  rewards[501] = 9;
  rewards[10] = -3;
  const columns = columnsOf(rewards, 100);
  expect(Math.max(...columns.map((column) => column.high))).toBe(9);
  expect(Math.min(...columns.map((column) => column.low))).toBe(-3);
  expect(extentOf([null, 2, 2])).toEqual([1, 3]);
});

test("what the policy thought becomes bars, with the chosen action marked", () => {
  const [group] = thoughtsOf(moment({ probabilities: [0.2, 0.8], next_action: 1 }), ["left", "right"]);
  expect(group!.title).toBe("Probability of each action");
  expect(group!.bars.map((bar) => [bar.label, bar.isChosen])).toEqual([
    ["left", false],
    ["right", true],
  ]);
  expect(group!.bars[1]).toMatchObject({ share: 0.8, text: "80 %" });
  expect(observationBars({ shape: [84, 84], min: 0 })).toBeNull();
  expect(shortText([0.12345, 2])).toBe("[0.1235, 2]");
});

test("of a training the chosen action's probability is shown, and what is left for the others", () => {
  const chosen = { next_action: 1, chosen_probability: 0.75 };
  const texts = (names: string[]) => thoughtsOf(moment(chosen), names)[0]!.bars.map((b) => [b.label, b.text]);
  expect(texts(["left", "right"])).toEqual([
    ["right", "75 %"],
    ["left", "25 %"],
  ]);
  expect(texts(["a", "b", "c"])[1]).toEqual(["all other actions", "25 %"]);
  expect(thoughtsOf(moment({ next_action: 1 }))).toEqual([]);
});

test("observations and actions are named, unless options changed their number", () => {
  const labels = (names: string[]) => observationBars([0.5, -1], names)!.map((bar) => bar.label);
  expect(labels(["position", "velocity"])).toEqual(["position", "velocity"]);
  expect(labels(["position", "velocity", "angle"])).toEqual(["0", "1"]);
  expect(actionText(1, ["push left", "push right"])).toBe("push right (1)");
  expect(actionText(3, ["push left", "push right"])).toBe("3");
  expect(actionText([0.5, -1], ["main engine", "side engines"])).toBe("main engine 0.5, side engines −1");
});
