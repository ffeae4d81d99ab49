/** Which side columns of the lab are open; this browser remembers it. */
import { useKeys } from "@/lib/keys";
import { useRemembered } from "@/lib/remembered";

export interface Columns {
  isLeftOpen: boolean;
  isRightOpen: boolean;
  setLeftOpen: (isOpen: boolean) => void;
  setRightOpen: (isOpen: boolean) => void;
}

export function useColumns(): Columns {
  const [isLeftOpen, setLeftOpen] = useRemembered("lab.left", true);
  const [isRightOpen, setRightOpen] = useRemembered("lab.right", true);
  useKeys([
    { keys: "[", title: "Show or hide the left column", group: "Lab", run: () => setLeftOpen(!isLeftOpen) },
    {
      keys: "]",
      title: "Show or hide the right column",
      group: "Lab",
      run: () => setRightOpen(!isRightOpen),
    },
  ]);
  return { isLeftOpen, isRightOpen, setLeftOpen, setRightOpen };
}

export function gridColumns({ isLeftOpen, isRightOpen }: Columns): string {
  if (isLeftOpen && isRightOpen)
    return "lg:grid-cols-[17rem_minmax(0,1fr)] xl:grid-cols-[17rem_minmax(0,1fr)_20rem]";
  if (isLeftOpen) return "lg:grid-cols-[17rem_minmax(0,1fr)]";
  return isRightOpen ? "lg:grid-cols-[minmax(0,1fr)] xl:grid-cols-[minmax(0,1fr)_20rem]" : "lg:grid-cols-1";
}
