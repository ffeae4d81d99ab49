/** Words of plays. Pure. */
import type { PlayHeader } from "@/api/types";

export type Mode = NonNullable<PlayHeader["mode"]>;

export const MODES: Record<Mode, { title: string; help: string }> = {
  human: { title: "Human", help: "You act, by keyboard, mouse, gamepad or touch." },
  hybrid: {
    title: "Hybrid",
    help: "A model acts. Hold a key to take over, let go to hand back.",
  },
  agent: { title: "Agent", help: "A model acts; you watch." },
};

export const isMode = (word: string): word is Mode => word in MODES;
