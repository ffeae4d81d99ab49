/** The named models, the one changed last first: their versions, labels and notes. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { modelsQuery } from "@/entities/models/queries";
import { EmptyState, ErrorState, Loading } from "@/ui/states";
import { type Asked, EditDialogs } from "./EditDialogs";
import { ModelCard } from "./ModelCard";

export default function NamedModels() {
  const models = useQuery(modelsQuery);
  const [asked, setAsked] = useState<Asked | null>(null);
  if (models.isPending) return <Loading lines={6} />;
  if (models.isError) return <ErrorState error={models.error} onRetry={() => void models.refetch()} />;
  if (models.data.length === 0)
    return (
      <EmptyState title="No named models yet">
        A name makes a good checkpoint easy to find: “lander”, with versions, labels such as production, and
        notes. The lab keeps a copy of every version, also when the run is deleted. Choose <em>Name it…</em>{" "}
        in the menu of a checkpoint.
      </EmptyState>
    );
  return (
    <>
      <ul aria-label="Named models" className="flex flex-col gap-4 pb-6">
        {models.data.map((model) => (
          <li key={model.name}>
            <ModelCard model={model} onAsk={setAsked} />
          </li>
        ))}
      </ul>
      <EditDialogs asked={asked} onClose={() => setAsked(null)} />
    </>
  );
}
