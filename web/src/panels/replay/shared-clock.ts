/**
 * One clock for several replays. It asks all of them for the same step and continues only when each has drawn it, so
 * none runs ahead of the others. Pure: the caller supplies the time.
 */
import type { Command } from "./messages";

export interface Member {
  /** Null until its episode is open. */
  length: number | null;
  fps: number;
  /** The step it has drawn last. */
  shown: number | null;
  seek: (step: number) => void;
}

export interface ClockState {
  step: number;
  playing: boolean;
  speed: number;
}

/** After a longer pause between two ticks, such as a hidden tab, the clock continues where it was. */
const LONGEST_TICK_MS = 250;
/** A step that is not drawn by then is asked for again. */
const PATIENCE_MS = 1_000;

export class SharedClock {
  private position = 0;
  private asked = 0;
  private askedAt = 0;
  private tickedAt: number | null = null;
  private playing = false;
  private speed = 1;

  constructor(
    private readonly members: () => readonly Member[],
    private readonly report: (state: ClockState) => void,
  ) {}

  get length(): number {
    return Math.max(0, ...this.members().map((member) => member.length ?? 0));
  }

  handle(command: Command): void {
    if (command.op === "play") this.play(command.speed ?? this.speed);
    else if (command.op === "speed") this.speed = command.speed;
    else this.move(command);
    this.tell();
  }

  /** Called for every frame of the screen while it plays. */
  tick(nowMs: number): void {
    const elapsed = this.tickedAt === null ? 0 : Math.min(LONGEST_TICK_MS, nowMs - this.tickedAt);
    this.tickedAt = nowMs;
    if (!this.playing) return;
    if (this.isWaiting()) {
      if (nowMs - this.askedAt > PATIENCE_MS) this.ask(this.asked, nowMs);
      return;
    }
    const fps = this.members()[0]?.fps ?? 0;
    this.position = Math.min(this.length, this.position + (elapsed / 1000) * fps * this.speed);
    if (Math.floor(this.position) !== this.asked) this.ask(Math.floor(this.position), nowMs);
    if (this.position >= this.length) this.playing = false;
    this.tell();
  }

  private play(speed: number): void {
    this.speed = speed;
    this.playing = true;
    this.tickedAt = null;
    if (this.position >= this.length) this.goTo(0);
  }

  private move(command: Command): void {
    if (command.op !== "seek") this.playing = false;
    if (command.op === "seek") this.goTo(command.step);
    if (command.op === "step") this.goTo(this.asked + command.by);
  }

  private goTo(step: number): void {
    // Before all episodes are open their length is unknown, and a link may lead to any step.
    const isOpen = this.members().every((member) => member.length !== null);
    this.position = Math.max(0, Math.min(isOpen ? this.length : Infinity, Math.round(step)));
    this.ask(this.position, this.tickedAt ?? 0);
  }

  private ask(step: number, nowMs: number): void {
    this.asked = step;
    this.askedAt = nowMs;
    for (const member of this.members()) member.seek(Math.min(step, member.length ?? step));
  }

  private isWaiting(): boolean {
    return this.members().some(
      (member) => member.length === null || member.shown !== Math.min(this.asked, member.length),
    );
  }

  private tell(): void {
    this.report({ step: this.asked, playing: this.playing, speed: this.speed });
  }
}
