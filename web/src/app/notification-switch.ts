/** Switches notifications on or off, and confirms or explains it. */
import { notificationsOn, type Refusal, switchNotifications } from "@/entities/notifications/notifications";
import { toast } from "@/ui/toasts";

const WHY: Record<Refusal, string> = {
  unsupported:
    "This browser offers no notifications here. They work on https and on this machine’s own address.",
  denied:
    "The browser refuses notifications from this page. Allow them in its site settings, then try again.",
};

export async function toggleNotifications(): Promise<void> {
  const wanted = !notificationsOn.get();
  const refusal = await switchNotifications(wanted);
  if (refusal) toast(WHY[refusal], { tone: "warn", shown_ms: 9_000 });
  else if (wanted)
    toast("You are notified when a run is solved, done or failed while this page is not in front.");
  else toast("Notifications are off.");
}
