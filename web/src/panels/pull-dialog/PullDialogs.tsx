/** The dialog of a pull; its code is loaded when it is opened for the first time. */
import { lazy, Suspense } from "react";
import { chunk } from "@/lib/chunks";
import { useStore } from "@/lib/store";
import { pullDialog } from "./dialog";

const PullDialog = lazy(chunk(() => import("./PullDialog")));

export function PullDialogs() {
  return <Suspense>{useStore(pullDialog).isOpen && <PullDialog />}</Suspense>;
}
