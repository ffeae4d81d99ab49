/** Copies text and says so; a browser that refuses is told about in words. */
import { toast } from "./toasts";

export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(done);
  } catch {
    toast("The browser does not let this page use the clipboard; select the text and copy it by hand.", {
      tone: "warn",
    });
  }
}
