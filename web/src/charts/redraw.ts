/**
 * When charts redraw: each at most four times a second, only while it is on screen, and one chart per animation
 * frame, so that twelve charts of live data never add up to one long frame.
 */
export const REDRAW_MS = 250;

export interface Drawable {
  draw: () => void;
  isVisible: () => boolean;
}

export class RedrawQueue {
  private waiting = new Set<Drawable>();
  private drawnAt = new WeakMap<Drawable, number>();
  private pumping = false;

  constructor(
    private readonly nextFrame: (run: () => void) => void = (run) => requestAnimationFrame(run),
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Draws soon. A chart off screen keeps waiting until `request` is called again when it comes into view. */
  request(chart: Drawable): void {
    this.waiting.add(chart);
    this.pump();
  }

  forget(chart: Drawable): void {
    this.waiting.delete(chart);
  }

  private pump(): void {
    if (this.pumping || this.waiting.size === 0) return;
    this.pumping = true;
    this.nextFrame(() => {
      this.pumping = false;
      this.drawOne();
      if ([...this.waiting].some((chart) => chart.isVisible())) this.pump();
    });
  }

  private drawOne(): void {
    const now = this.now();
    for (const chart of this.waiting) {
      if (!chart.isVisible() || now - (this.drawnAt.get(chart) ?? -Infinity) < REDRAW_MS) continue;
      this.waiting.delete(chart);
      this.drawnAt.set(chart, now);
      chart.draw();
      return;
    }
  }
}

export const redraws = new RedrawQueue();
