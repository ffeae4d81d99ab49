/** Copies text and confirms it with a toast, or explains that the browser refused. */
import { toast } from "./toasts";

export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(done);
  } catch {
    toast("The browser does not allow this page to use the clipboard. Select the text and copy it by hand.", {
      tone: "warn",
    });
  }
}
