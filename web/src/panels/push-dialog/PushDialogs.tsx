/** The dialog of a push; its code is loaded when it is opened for the first time. */
import { lazy, Suspense } from "react";
import { chunk } from "@/lib/chunks";
import { useStore } from "@/lib/store";
import { pushDialog } from "./dialog";

const PushDialog = lazy(chunk(() => import("./PushDialog")));

export function PushDialogs() {
  return <Suspense>{useStore(pushDialog) !== null && <PushDialog />}</Suspense>;
}
