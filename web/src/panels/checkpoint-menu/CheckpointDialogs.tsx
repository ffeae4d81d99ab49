/** The dialogs that the menu of a checkpoint opens; their code is loaded when one is opened for the first time. */
import { lazy, Suspense } from "react";
import { chunk } from "@/lib/chunks";
import { useStore } from "@/lib/store";
import { nameDialog } from "@/panels/name-model/dialog";
import { PushDialogs } from "@/panels/push-dialog/PushDialogs";
import { marksDialog } from "./dialog";

const NameModelDialog = lazy(chunk(() => import("@/panels/name-model/NameModelDialog")));
const MarksDialog = lazy(chunk(() => import("./MarksDialog")));

export function CheckpointDialogs() {
  const isNamed = useStore(nameDialog) !== null;
  const isMarked = useStore(marksDialog) !== null;
  return (
    <Suspense>
      {isNamed && <NameModelDialog />}
      {isMarked && <MarksDialog />}
      <PushDialogs />
    </Suspense>
  );
}
