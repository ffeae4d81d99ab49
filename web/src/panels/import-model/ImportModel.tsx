/** The dialog, loaded when files were chosen. */
import { lazy, Suspense } from "react";
import { chunk } from "@/lib/chunks";
import { useStore } from "@/lib/store";
import { importDialog } from "./dialog";

const ImportModelDialog = lazy(chunk(() => import("./ImportModelDialog")));

export function ImportModel() {
  const { files } = useStore(importDialog);
  return files.length === 0 ? null : (
    <Suspense>
      <ImportModelDialog />
    </Suspense>
  );
}
