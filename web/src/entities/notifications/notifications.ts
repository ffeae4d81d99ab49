/** The switch for notifications of this browser, and how one is shown. */
import { recall, remember } from "@/lib/remembered";
import { createStore } from "@/lib/store";
import type { Notice } from "./notice";

const KEY = "notifications";

export const notificationsOn = createStore<boolean>(recall(KEY, false));

export type Refusal = "unsupported" | "denied";

/** Switches notifications on after the browser has asked the user; returns why it is not possible, else null. */
export async function switchNotifications(isOn: boolean): Promise<Refusal | null> {
  const refusal = isOn ? await askBrowser() : null;
  const next = isOn && refusal === null;
  notificationsOn.set(next);
  remember(KEY, next);
  return refusal;
}

/** Browsers offer notifications only to pages from https or from this machine. */
async function askBrowser(): Promise<Refusal | null> {
  if (!("Notification" in window)) return "unsupported";
  return (await Notification.requestPermission()) === "granted" ? null : "denied";
}

/** Somebody who looks at the page sees the run end. */
export const isInFront = (): boolean => document.visibilityState === "visible" && document.hasFocus();

/** Several tabs show one notification: the browser replaces one with the same tag. */
export function showNotice(notice: Notice, tag: string, onClick: () => void): void {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  try {
    const shown = new Notification(notice.title, { body: notice.body, tag });
    shown.onclick = () => {
      window.focus();
      shown.close();
      onClick();
    };
  } catch {
    // Some phones allow notifications only from a service worker.
  }
}
