import { createStore } from "@/lib/store";

/** The file that was chosen or dropped; null: the dialog is closed. */
export const packDialog = createStore<{ file: File | null }>({ file: null });

export const isPack = (file: File): boolean => file.name.toLowerCase().endsWith(".zip");

/** Lets the user choose a pack, then opens the dialog with it. */
export function choosePack(): void {
  const input = Object.assign(document.createElement("input"), { type: "file", accept: ".zip" });
  input.onchange = () => packDialog.set({ file: input.files?.[0] ?? null });
  input.click();
}
