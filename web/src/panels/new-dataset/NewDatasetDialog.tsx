/** A new dataset: from recorded episodes, collected by policies, or imported. */
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useStore } from "@/lib/store";
import { Dialog } from "@/ui/Dialog";
import { Tabs } from "@/ui/Tabs";
import { CollectForm } from "./CollectForm";
import { type NewDatasetStart, newDatasetDialog, type Way } from "./dialog";
import { EpisodesForm } from "./EpisodesForm";
import { ImportForm } from "./ImportForm";

const close = () => newDatasetDialog.set(null);

export default function NewDatasetDialog() {
  const start = useStore(newDatasetDialog);
  return (
    <Dialog open={start !== null} onOpenChange={close} title="New dataset" wide>
      {start && <Ways start={start} />}
    </Dialog>
  );
}

function Ways({ start }: { start: NewDatasetStart }) {
  const [way, setWay] = useState<Way>(start.way ?? "episodes");
  const navigate = useNavigate();
  const props = {
    start,
    onCancel: close,
    onStarted: () => {
      close();
      void navigate({ to: "/datasets" });
    },
  };
  return (
    <div className="pt-2 [&_[role=tablist]]:px-5 [&_form]:pt-0">
      <Tabs<Way>
        label="Where the episodes come from"
        value={way}
        onChange={setWay}
        tabs={[
          { id: "episodes", title: "From episodes", content: <EpisodesForm {...props} /> },
          { id: "collect", title: "Collect", content: <CollectForm {...props} /> },
          { id: "import", title: "Import", content: <ImportForm {...props} /> },
        ]}
      />
    </div>
  );
}
