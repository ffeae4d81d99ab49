/** Downloads the package of a checkpoint; making it takes some seconds, which a toast says. */
import { useMutation } from "@tanstack/react-query";
import { saveBlob } from "@/lib/download";
import { toast, toastProblem } from "@/ui/toasts";
import { fetchPackage } from "./queries";

export function useDownloadPackage() {
  return useMutation({
    mutationFn: fetchPackage,
    onMutate: () => toast("Packaging the model; the download begins in some seconds."),
    onSuccess: ({ blob, name }) => saveBlob(blob, name),
    onError: toastProblem,
  });
}
