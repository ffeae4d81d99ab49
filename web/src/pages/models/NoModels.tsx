/** Where models come from, while there is none. */
import { Link } from "@tanstack/react-router";
import { EmptyState } from "@/ui/states";

export function NoModels() {
  return (
    <EmptyState
      title="No models yet"
      action={
        <Link
          to="/"
          className="inline-flex h-9 items-center rounded-sm bg-ink px-4 text-sm font-medium text-on-ink"
        >
          Train an agent
        </Link>
      }
    >
      A training saves checkpoints as it learns; all of them are listed here, of every run. Give the good ones
      a name to find them again.
    </EmptyState>
  );
}
