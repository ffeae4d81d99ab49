/**
 * Plays one recorded episode onto a canvas, in a Worker or on the page. The lab steps the environment; we draw what
 * it sends, acknowledge it, and forward the viewer's commands. After a lost connection it continues where it was.
 */
import { withParameter } from "@/lib/parameters";
import { openSocket, type Socket } from "@/lib/sockets";
import { type EdgeReader, type Painter, type Picture, painterOn } from "@/panels/stage/canvas";
import { EdgeWatch } from "@/panels/stage/edge";
import { type Frame, parseFrame } from "@/panels/stage/frame";
import type { Command, Failure, Moment, Opened, ReplayEvent } from "./messages";

export interface ReplayParts extends Painter, EdgeReader {
  open: (step: number) => Socket;
  report: (event: ReplayEvent) => void;
  now: () => number;
}

type LabState = Pick<Moment, "heard" | "playing" | "speed">;

const NORMAL_CLOSE = 1000;
const BACK_OFF_MS = { first: 400, most: 6_000 };

export class ReplayPlayer {
  private socket: Socket | null = null;
  private step = 0;
  private drawnSeq = -1;
  private hasFailed = false;
  private isOpened = false;
  /** Commands from before the episode was open; sent once it is. */
  private waiting: Command[] = [];
  /** The number of the last command. A message that has not heard it yet shows the state from before. */
  private sent = 0;
  private wanted = { playing: false, speed: 1 };
  private tries = 0;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;

  private readonly edge: EdgeWatch<Picture>;

  constructor(private readonly parts: ReplayParts) {
    this.edge = new EdgeWatch(parts);
  }

  start(step: number): void {
    this.step = step;
    this.drawnSeq = -1;
    this.isOpened = false;
    this.sent = 0;
    this.wanted.playing = false;
    const socket = this.parts.open(step);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onmessage = (event) => void this.received(socket, event.data);
    socket.onclose = (event) => this.closed(socket, event.code);
  }

  send(command: Command): void {
    if (command.op === "seek") this.step = command.step;
    if (this.isOpened) {
      if (command.op === "play") this.wanted.playing = true;
      if (command.op === "pause" || command.op === "step") this.wanted.playing = false;
      if ("speed" in command) this.wanted.speed = command.speed ?? this.wanted.speed;
      this.socket?.send(JSON.stringify({ ...command, n: ++this.sent }));
    } else if (command.op !== "seek") this.waiting.push(command);
  }

  stop(): void {
    clearTimeout(this.retryTimer);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }

  private async received(socket: Socket, data: unknown): Promise<void> {
    const frame = data instanceof ArrayBuffer ? parseFrame(data) : null;
    if (frame === null || socket !== this.socket) return;
    const header = frame.header as unknown as Record<string, unknown>;
    if (header.op === undefined) await this.show(socket, frame);
    else this.handle(header);
    if (socket === this.socket) socket.send("ack");
  }

  private handle(header: Record<string, unknown>): void {
    if (header.op === "opened") {
      this.tries = 0;
      this.parts.report({ kind: "opened", opened: header as unknown as Opened });
      this.isOpened = true;
      this.send({ op: "seek", step: this.step });
      for (const command of this.waiting.splice(0)) this.send(command);
    } else if (header.op === "state") {
      this.parts.report({ kind: "state", ...this.stateOf(header as unknown as LabState) });
    } else if (header.op === "error") {
      this.hasFailed = true;
      this.parts.report({ kind: "failed", failure: header as unknown as Failure });
    }
  }

  /** What the viewer asked for last, until the lab has carried it out; then what the lab says. */
  private stateOf({ heard, playing, speed }: LabState): { playing: boolean; speed: number } {
    if (heard >= this.sent) this.wanted = { playing, speed };
    return { ...this.wanted };
  }

  /** Two pictures may be decoded at once: the older one must not be drawn over the newer. */
  private async show(socket: Socket, frame: Frame): Promise<void> {
    const moment = frame.header as unknown as Moment;
    try {
      const picture = await this.parts.decode(frame.jpeg);
      const isNewer = socket === this.socket && moment.seq > this.drawnSeq;
      if (isNewer) {
        this.parts.draw(picture);
        this.edge.see(picture);
      }
      picture.close();
      if (!isNewer) return;
    } catch {
      // A picture that cannot be decoded is skipped; its numbers are still reported.
    }
    this.drawnSeq = moment.seq;
    this.step = moment.step;
    this.parts.report({
      kind: "moment",
      moment: { ...moment, ...this.stateOf(moment) },
      edge: this.edge.colour,
    });
  }

  private closed(socket: Socket, code: number): void {
    if (socket !== this.socket) return;
    this.socket = null;
    this.isOpened = false;
    if (this.hasFailed || code === NORMAL_CLOSE) return;
    this.parts.report({ kind: "lost" });
    const wait = Math.min(BACK_OFF_MS.most, BACK_OFF_MS.first * 2 ** this.tries++);
    this.retryTimer = setTimeout(() => this.start(this.step), wait * (0.5 + Math.random() / 2));
  }
}

/** A player of the replay at `address`, for a canvas of the page or of a Worker. */
export const replayPlayer = (
  address: string,
  canvas: HTMLCanvasElement | OffscreenCanvas,
  report: (event: ReplayEvent) => void,
): ReplayPlayer =>
  new ReplayPlayer({
    ...painterOn(canvas),
    open: (step) => openSocket(withParameter(address, "step", step)),
    report,
    now: () => performance.now(),
  });
