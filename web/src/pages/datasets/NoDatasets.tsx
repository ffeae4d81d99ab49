/** Where datasets come from, while there is none. */
import { useNavigate } from "@tanstack/react-router";
import { openNewDataset } from "@/panels/new-dataset/dialog";
import { Button } from "@/ui/Button";
import { EmptyState } from "@/ui/states";

export function NoDatasets() {
  const navigate = useNavigate();
  return (
    <EmptyState
      title="No datasets yet"
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <Button icon="play" onClick={() => void navigate({ to: "/play" })}>
            Play
          </Button>
          <Button kind="primary" icon="plus" onClick={() => openNewDataset({ way: "episodes" })}>
            Make one from runs
          </Button>
          <Button icon="record" onClick={() => openNewDataset({ way: "collect" })}>
            Collect with a policy
          </Button>
          <Button icon="download" onClick={() => openNewDataset({ way: "import" })}>
            Import
          </Button>
        </div>
      }
    >
      A dataset is a set of episodes with fixed contents, to learn from without the environment. Play some
      episodes yourself, choose episodes of your runs, let a policy collect them, or import a file of Minari,
      D4RL, OGBench, Parquet or CSV.
    </EmptyState>
  );
}
