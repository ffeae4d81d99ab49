/** Looks into a checkpoint: weights, activations, gradient flow, loss surface. Each is computed when it is asked for. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Inspection } from "@/api/types";
import { type InspectionPart, inspectionQuery } from "@/entities/checkpoints/inspections";
import { formatPlural } from "@/lib/format";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { EmptyState, ErrorState, Loading } from "@/ui/states";
import { Tabs } from "@/ui/Tabs";
import { ActivationsView } from "./ActivationsView";
import { batchText } from "./figures";
import { GradientsView } from "./GradientsView";
import { LossSurfaceView } from "./LossSurfaceView";
import { WeightsView } from "./WeightsView";

interface Part {
  title: string;
  /** What it shows, and what that is good for. */
  about: string;
  view: (inspection: Inspection) => React.ReactNode;
}

const PARTS: Record<InspectionPart, Part> = {
  weights: {
    title: "Weights",
    about: "How the weights of each layer are distributed. Very large ones, or many zeros, are worth a look.",
    view: (inspection) => <WeightsView weights={inspection.weights} />,
  },
  activations: {
    title: "Activations",
    about:
      "What each layer puts out while the model acts in its environment. Units that never change pass on nothing.",
    view: (inspection) => <ActivationsView activations={inspection.activations} />,
  },
  gradients: {
    title: "Gradient flow",
    about:
      "How large the gradient of the loss is in each layer. Where it is far smaller than elsewhere, the layer hardly learns.",
    view: (inspection) => <GradientsView gradients={inspection.gradients} />,
  },
  loss_surface: {
    title: "Loss surface",
    about:
      "The loss when the weights are moved along two random directions. The checkpoint is in the middle.",
    view: (inspection) => inspection.loss_surface && <LossSurfaceView surface={inspection.loss_surface} />,
  },
};

const IDS = Object.keys(PARTS) as InspectionPart[];

export default function InspectionPanel({ checkpointId }: { checkpointId: string }) {
  const [part, setPart] = useState<InspectionPart>("weights");
  const [wanted, setWanted] = useState<ReadonlySet<InspectionPart>>(new Set());
  return (
    <Panel title="Inspection">
      <Tabs
        label="Parts of the inspection"
        value={part}
        onChange={setPart}
        tabs={IDS.map((id) => ({
          id,
          title: PARTS[id].title,
          content:
            id === part ? (
              <PartView
                checkpointId={checkpointId}
                part={id}
                isWanted={wanted.has(id)}
                onCompute={() => setWanted((before) => new Set([...before, id]))}
              />
            ) : null,
        }))}
      />
    </Panel>
  );
}

interface PartViewProps {
  checkpointId: string;
  part: InspectionPart;
  isWanted: boolean;
  onCompute: () => void;
}

function PartView({ checkpointId, part, isWanted, onCompute }: PartViewProps) {
  const { title, about, view } = PARTS[part];
  const found = useQuery({ ...inspectionQuery(checkpointId, part), enabled: isWanted });
  if (found.data) return <Computed inspection={found.data}>{view(found.data)}</Computed>;
  if (found.isError)
    return (
      <ErrorState
        title={`${title} cannot be shown`}
        error={found.error}
        onRetry={() => void found.refetch()}
      />
    );
  if (isWanted)
    return (
      <div className="flex flex-col gap-3">
        <p className="text-sm text-ink-2">
          A worker loads the checkpoint and computes this; it takes some seconds.
        </p>
        <Loading lines={5} label={`Computing: ${title}`} />
      </div>
    );
  return (
    <EmptyState
      title={title}
      action={
        <Button kind="primary" icon="play" onClick={onCompute}>
          {`Compute ${title.toLowerCase()}`}
        </Button>
      }
    >
      {about}
    </EmptyState>
  );
}

/** The figures, what they were computed on, and what a reader should know about them. */
function Computed({ inspection, children }: { inspection: Inspection; children: React.ReactNode }) {
  const facts = [
    formatPlural(inspection.parameters, "weight"),
    batchText(inspection.batch),
    inspection.loss ? `loss ${inspection.loss.name}` : null,
  ];
  return (
    <div className="flex flex-col gap-4">
      {children}
      <div className="text-xs text-ink-3">
        <p>{facts.filter(Boolean).join(" · ")}</p>
        {inspection.notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
      </div>
    </div>
  );
}
