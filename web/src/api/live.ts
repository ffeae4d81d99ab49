/**
 * One WebSocket per tab, many topics. A subscriber names its cursor (`since`) and gets every later item exactly once,
 * also across reconnects: items it already has are dropped by cursor.
 */
import type { Socket } from "@/lib/sockets";
import { createStore, type Store } from "@/lib/store";
import { withoutDirections } from "./plain-text";

export type Cursor = number | string | null;
/** connecting: first time. reconnecting: lost, back soon. stale: lost long enough that the page shows old data. */
export type LiveState = "connecting" | "connected" | "reconnecting" | "stale";

export interface Batch {
  topic: string;
  cursor: Cursor;
  items: unknown[];
  /** The lab does not know what was missed: everything must be requested again. */
  reset?: boolean;
}

export type OpenSocket = () => Socket;

export interface LiveOptions {
  /** The lab did not accept the connection, or closed it because this browser was signed out. */
  onRefused?: () => void;
  random?: () => number;
}

interface Subscriber {
  cursor: Cursor;
  onBatch: (batch: Batch) => void;
}

const SILENCE_MS = 40_000;
const STALE_AFTER_MS = 8_000;
/** The code with which the lab closes the sockets of a browser that was signed out. */
const SIGNED_OUT = 4401;
const ABNORMAL = 1006;
const BACK_OFF_MS = { first: 250, most: 10_000 };

export class Live {
  readonly state: Store<LiveState> = createStore<LiveState>("connecting");
  private topics = new Map<string, Set<Subscriber>>();
  private socket: Socket | null = null;
  private isOpen = false;
  private tries = 0;
  private retryTimer: Timer | undefined;
  private silenceTimer: Timer | undefined;
  private staleTimer: Timer | undefined;

  constructor(
    private readonly open: OpenSocket,
    private readonly options: LiveOptions = {},
  ) {}

  /** Connects; calling it again tries at once instead of waiting for the back-off. */
  connect(): void {
    if (this.socket) return;
    clearTimeout(this.retryTimer);
    const socket = this.open();
    this.socket = socket;
    socket.onopen = () => this.opened();
    socket.onmessage = (event) => this.received(event.data);
    socket.onclose = ({ code }) => this.closed(socket, code);
    this.listenForSilence();
  }

  close(): void {
    const socket = this.socket;
    this.socket = null;
    this.isOpen = false;
    for (const timer of [this.retryTimer, this.silenceTimer, this.staleTimer]) clearTimeout(timer);
    if (socket) socket.onclose = null;
    socket?.close();
  }

  /** Delivers items of `topic` after `since` (null: the recent past, then live); returns the unsubscribe function. */
  subscribe(topic: string, since: Cursor, onBatch: (batch: Batch) => void): () => void {
    const subscriber: Subscriber = { cursor: since, onBatch };
    const others = this.topics.get(topic) ?? new Set();
    this.topics.set(topic, others.add(subscriber));
    // The others are up to date while connected, so the request of the new one covers them; duplicates are dropped by id.
    if (since === null) this.send({ op: "subscribe", topic, since });
    else this.resubscribe(topic);
    return () => {
      others.delete(subscriber);
      if (others.size > 0 || this.topics.get(topic) !== others) return;
      this.topics.delete(topic);
      this.send({ op: "unsubscribe", topic });
    };
  }

  private opened(): void {
    this.isOpen = true;
    this.tries = 0;
    clearTimeout(this.staleTimer);
    this.staleTimer = undefined;
    this.state.set("connected");
    for (const topic of this.topics.keys()) this.resubscribe(topic);
  }

  private received(text: unknown): void {
    this.listenForSilence();
    const message = readMessage(text);
    if (message === null) return;
    for (const subscriber of [...(this.topics.get(message.topic) ?? [])]) deliver(subscriber, message);
  }

  private closed(socket: Socket, code: number): void {
    if (socket !== this.socket) return;
    this.socket = null;
    if (!this.isOpen || code === SIGNED_OUT) this.options.onRefused?.();
    this.isOpen = false;
    clearTimeout(this.silenceTimer);
    if (this.state.get() === "connected") this.state.set("reconnecting");
    this.staleTimer ??= setTimeout(() => this.state.set("stale"), STALE_AFTER_MS);
    const { random = Math.random } = this.options;
    const wait = Math.min(BACK_OFF_MS.most, BACK_OFF_MS.first * 2 ** this.tries++);
    // Jitter: after a restart of the lab, tabs must not all reconnect at the same moment.
    this.retryTimer = setTimeout(() => this.connect(), wait * (0.5 + random() / 2));
  }

  /** The lab pings every 15 s: silence means a dead connection that was not closed. */
  private listenForSilence(): void {
    clearTimeout(this.silenceTimer);
    this.silenceTimer = setTimeout(() => {
      const socket = this.socket;
      if (!socket) return;
      socket.close();
      this.closed(socket, ABNORMAL);
    }, SILENCE_MS);
  }

  /** Subscribing to a topic again moves its start: the subscriber with the oldest cursor decides. */
  private resubscribe(topic: string): void {
    const subscribers = [...(this.topics.get(topic) ?? [])];
    const known = subscribers.map((s) => s.cursor).filter((cursor) => cursor !== null);
    const since = known.length === 0 ? null : known.reduce((a, b) => (isAfter(a, b) ? b : a));
    this.send({ op: "subscribe", topic, since });
  }

  private send(message: object): void {
    if (this.isOpen) this.socket?.send(JSON.stringify(message));
  }
}

type Timer = ReturnType<typeof setTimeout>;

function deliver(subscriber: Subscriber, batch: Batch): void {
  const before = batch.reset ? null : subscriber.cursor;
  if (before !== null && batch.cursor !== null && !isAfter(batch.cursor, before)) return;
  const items = batch.items.filter((item) => isNew(item, before));
  subscriber.cursor = batch.cursor ?? before;
  if (items.length > 0 || batch.reset) subscriber.onBatch({ ...batch, items });
}

/** A batch sent again after a reconnect may contain items a subscriber already has; their ids show it. */
function isNew(item: unknown, cursor: Cursor): boolean {
  const id = (item as { id?: unknown } | null)?.id;
  return typeof id !== "number" || typeof cursor !== "number" || id > cursor;
}

function isAfter(a: Exclude<Cursor, null>, b: Exclude<Cursor, null>): boolean {
  if (typeof a === "number" && typeof b === "number") return a > b;
  return String(a) !== String(b);
}

function readMessage(text: unknown): Batch | null {
  if (typeof text !== "string") return null;
  try {
    const message = JSON.parse(withoutDirections(text)) as Partial<Batch>;
    if (typeof message.topic !== "string" || !Array.isArray(message.items)) return null;
    const { topic, items, cursor = null, reset = false } = message;
    return { topic, cursor, items, reset };
  } catch {
    return null;
  }
}
