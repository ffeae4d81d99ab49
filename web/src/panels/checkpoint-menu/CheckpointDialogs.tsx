/** The dialogs that the menu of a checkpoint opens; their code is loaded when one is opened for the first time. */
import { lazy, Suspense } from "react";
import { chunk } from "@/lib/chunks";
import { useStore } from "@/lib/store";
import { nameDialog } from "@/panels/name-model/dialog";
import { PushDialogs } from "@/panels/push-dialog/PushDialogs";
import { deleteDialog, marksDialog } from "./dialog";

const NameModelDialog = lazy(chunk(() => import("@/panels/name-model/NameModelDialog")));
const MarksDialog = lazy(chunk(() => import("./MarksDialog")));
const DeleteDialog = lazy(chunk(() => import("./DeleteDialog")));

/** `onDeleted`: where to go from a page about the deleted checkpoint. */
export function CheckpointDialogs({ onDeleted }: { onDeleted?: () => void }) {
  const isNamed = useStore(nameDialog) !== null;
  const isMarked = useStore(marksDialog) !== null;
  const isDeleted = useStore(deleteDialog) !== null;
  return (
    <Suspense>
      {isNamed && <NameModelDialog />}
      {isMarked && <MarksDialog />}
      {isDeleted && <DeleteDialog onDeleted={onDeleted} />}
      <PushDialogs />
    </Suspense>
  );
}
