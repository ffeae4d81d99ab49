/**
 * Plays a stream of frames onto a canvas, in a Worker or on the page. The server sends at most two frames ahead of
 * our acknowledgements; a page that is hidden or slow stops acknowledging, and the server then stops sending. The
 * feed of a run that nobody sees is closed, so that the server stops drawing it too.
 */
import type { FrameHeader, PlayHeader, PlayKeys, PlayRole } from "@/api/types";
import { openSocket, type Socket } from "@/lib/sockets";
import { type EdgeReader, type Painter, type Picture, painterOn } from "./canvas";
import { EdgeWatch } from "./edge";
import { type Frame, type FrameProblem, noteOf, type PlayNote, parseFrame, problemOf } from "./frame";

export type StageState = "connecting" | "playing" | "waiting" | "ended";

/** One step of a play, as its timeline needs it. */
export type PlayedStep = Pick<PlayHeader, "episode" | "step" | "reward" | "return" | "who" | "value">;

/** What the player reports to the page, at most five times a second: numbers that change faster cannot be read. */
export interface StageReport {
  state: StageState;
  header: FrameHeader | null;
  /** Frames drawn a second, measured here. */
  drawn_fps: number;
  /** The colour at the edge of the picture, for the margins next to it. */
  edge?: string | null;
  /** Why nothing is drawn; gone with the next picture. */
  problem?: FrameProblem | null;
  /** Of a play: who this viewer is in it. */
  role?: PlayRole | null;
  /** Of a play: the keys in use. */
  keys?: PlayKeys | null;
  /** Of a play: every step that was drawn since the last report. */
  steps?: readonly PlayedStep[];
}

export interface PlayerParts extends Painter, EdgeReader {
  open: () => Socket;
  report: (report: StageReport) => void;
  now: () => number;
}

const REPORT_MS = 200;
/** The newest episode of a run that works, the best of an ended one in a loop. */
const RUN_SOURCES = new Set<FrameHeader["source"] | undefined>(["live", "best"]);
const NORMAL_CLOSE = 1000;
const BACK_OFF_MS = { first: 300, most: 5_000 };

export class FramePlayer {
  private socket: Socket | null = null;
  private state: StageState = "connecting";
  private header: FrameHeader | null = null;
  private problem: FrameProblem | null = null;
  private role: PlayRole | null = null;
  private keys: PlayKeys | null = null;
  private drawnSeq = -1;
  private drawnTimes: number[] = [];
  private steps: PlayedStep[] = [];
  private readonly edge: EdgeWatch<Picture>;
  private isHidden = false;
  /** The feed was closed because the page is hidden. */
  private isResting = false;
  private owed = 0;
  private tries = 0;
  private reportedAt = -Infinity;
  private reportTimer: ReturnType<typeof setTimeout> | undefined;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly parts: PlayerParts) {
    this.edge = new EdgeWatch(parts);
  }

  start(): void {
    const socket = this.parts.open();
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    this.isResting = false;
    this.owed = 0;
    this.drawnSeq = -1;
    socket.onopen = () => this.become("waiting");
    socket.onmessage = (event) => void this.received(socket, event.data);
    socket.onclose = (event) => this.closed(socket, event.code);
  }

  stop(): void {
    clearTimeout(this.retryTimer);
    clearTimeout(this.reportTimer);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }

  /** Sends a command to the source of the frames: play, pause, step, seek. Lost when the connection is down. */
  send(command: object): void {
    if (this.state === "playing" || this.state === "waiting") this.socket?.send(JSON.stringify(command));
  }

  /** While hidden nothing is acknowledged; what is owed goes out when the page is seen again. */
  setHidden(isHidden: boolean): void {
    this.isHidden = isHidden;
    if (isHidden) this.rest();
    else if (this.isResting) this.start();
    else for (; this.owed > 0; this.owed--) this.socket?.send("ack");
  }

  /** The feed of a run loses nothing by starting anew, unlike a preview; its last picture stays meanwhile. */
  private rest(): void {
    if (!this.isHidden || !RUN_SOURCES.has(this.header?.source)) return;
    this.isResting = true;
    this.stop();
  }

  private async received(socket: Socket, data: unknown): Promise<void> {
    if (!(data instanceof ArrayBuffer)) return;
    const frame = parseFrame(data);
    if (frame !== null) await this.take(socket, frame);
    this.acknowledge(socket);
    this.rest();
  }

  private async take(socket: Socket, frame: Frame): Promise<void> {
    const problem = problemOf(frame);
    if (problem !== null) {
      this.problem = problem;
      return this.reportNow();
    }
    const note = noteOf(frame);
    if (note !== null) return this.keepNote(note);
    if (frame.jpeg.length === 0 && frame.header.source === "play") return this.showNumbers(frame.header);
    try {
      const picture = await this.parts.decode(frame.jpeg);
      if (socket === this.socket) this.show(picture, frame.header);
      picture.close();
    } catch {
      // A picture that cannot be decoded is skipped, but it is still acknowledged.
    }
  }

  private keepNote(note: PlayNote): void {
    if (note.op === "role") this.role = note;
    if (note.op === "controls") this.keys = note;
    this.reportNow();
  }

  /** Two frames may be decoded at once: the older one must not be drawn over the newer. */
  private show(picture: Picture, header: FrameHeader): void {
    if (header.seq <= this.drawnSeq) return;
    this.accept(header);
    this.parts.draw(picture);
    this.edge.see(picture);
    const now = this.parts.now();
    this.drawnTimes = [...this.drawnTimes.filter((at) => now - at < 1000), now];
    this.become("playing");
  }

  /** An environment that cannot be drawn is played by its numbers. */
  private showNumbers(header: FrameHeader): void {
    if (header.seq <= this.drawnSeq) return;
    this.accept(header);
    this.become("playing");
  }

  private accept(header: FrameHeader): void {
    this.drawnSeq = header.seq;
    this.header = header;
    this.problem = null;
    this.tries = 0;
    if (header.source === "play") this.steps.push(playedStep(header));
  }

  private acknowledge(socket: Socket): void {
    if (socket !== this.socket) return;
    if (this.isHidden) this.owed++;
    else socket.send("ack");
  }

  private closed(socket: Socket, code: number): void {
    if (socket !== this.socket) return;
    this.socket = null;
    this.become(code === NORMAL_CLOSE ? "ended" : "connecting");
    if (code === NORMAL_CLOSE) return;
    const wait = Math.min(BACK_OFF_MS.most, BACK_OFF_MS.first * 2 ** this.tries++);
    this.retryTimer = setTimeout(() => this.start(), wait * (0.5 + Math.random() / 2));
  }

  private become(state: StageState): void {
    const isChange = state !== this.state;
    this.state = state;
    const wait = isChange ? 0 : this.reportedAt + REPORT_MS - this.parts.now();
    if (wait <= 0) this.reportNow();
    else this.reportTimer ??= setTimeout(() => this.reportNow(), wait);
  }

  private reportNow(): void {
    clearTimeout(this.reportTimer);
    this.reportTimer = undefined;
    this.reportedAt = this.parts.now();
    const { state, header, problem, role, keys } = this;
    const steps = this.steps.splice(0);
    const drawn_fps = this.drawnTimes.length;
    this.parts.report({ state, header, problem, role, keys, edge: this.edge.colour, drawn_fps, steps });
  }
}

function playedStep(header: PlayHeader): PlayedStep {
  const { episode, step, reward, return: sum, who, value } = header;
  return { episode, step, reward, return: sum, who, value };
}

/** A player of the frames at `address`, for a canvas of the page or of a Worker. */
export const framePlayer = (
  address: string,
  canvas: HTMLCanvasElement | OffscreenCanvas,
  report: (report: StageReport) => void,
): FramePlayer =>
  new FramePlayer({
    ...painterOn(canvas),
    open: () => openSocket(address),
    report,
    now: () => performance.now(),
  });
