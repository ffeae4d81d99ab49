/** Shown while the code of a page is loaded: the outline of the page (boot.css), or that the lab is away. */
import { waitingChunks } from "@/lib/chunks";
import { useStore } from "@/lib/store";
import { Away } from "@/ui/states";

export function PendingPage() {
  if (useStore(waitingChunks) > 0) return <Away />;
  return (
    <div role="status" className="boot-outline">
      <span className="sr-only">Loading</span>
      <span />
      <span />
    </div>
  );
}
