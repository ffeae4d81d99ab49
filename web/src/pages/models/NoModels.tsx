/** Where models come from, while there is none. */
import { Link } from "@tanstack/react-router";
import { chooseModel } from "@/panels/import-model/dialog";
import { Button } from "@/ui/Button";
import { EmptyState, TextWithCode } from "@/ui/states";

export function NoModels() {
  return (
    <EmptyState
      title="No models yet"
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <Link
            to="/"
            className="inline-flex h-9 items-center rounded-sm bg-ink px-4 text-sm font-medium text-on-ink"
          >
            Train an agent
          </Link>
          <Button icon="plus" onClick={() => chooseModel()}>
            Import a model…
          </Button>
        </div>
      }
    >
      <TextWithCode text="A training saves checkpoints as it learns; those of every run are listed here. Models of other people are imported as files, or pulled from the Hugging Face Hub with `rl-lab pull user/name`." />
    </EmptyState>
  );
}
