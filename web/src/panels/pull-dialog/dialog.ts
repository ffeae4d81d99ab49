import { createStore } from "@/lib/store";

export const pullDialog = createStore<{ isOpen: boolean }>({ isOpen: false });
