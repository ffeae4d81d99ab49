/** What the lab does and how to begin: for the first visit, and reachable ever after. */
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Thumbnail } from "@/entities/environments/Thumbnail";
import { offersOf } from "@/entities/runners/offers";
import { runnersQuery } from "@/entities/runners/queries";
import { useTrain } from "@/pages/lab/configure/use-train";
import { firstRun } from "@/pages/lab/draft/draft";
import { isTourOn } from "@/panels/tour/open";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { SAMPLE_RESULTS, type SampleResult } from "./results";

export function WelcomePage() {
  return (
    <div className="container-page flex max-w-5xl flex-col gap-6 py-6 sm:py-10">
      <header className="flex flex-col gap-3">
        <h1 className="text-2xl font-semibold">Welcome to RL Lab</h1>
        <p className="max-w-2xl text-ink-2">
          Train agents on this machine, watch every episode they play, and see why they learn or fail. Nothing
          leaves this machine.
        </p>
      </header>
      <section aria-label="Two ways in" className="grid gap-3 sm:grid-cols-2">
        <TrainNew />
        <UseTrained />
      </section>
      <FirstSteps />
      <Panel title="What to expect">
        <ul className="grid gap-4 sm:grid-cols-3">
          {SAMPLE_RESULTS.map((sample) => (
            <Sample key={sample.envId} {...sample} />
          ))}
        </ul>
      </Panel>
      <More />
    </div>
  );
}

function TrainNew() {
  const navigate = useNavigate();
  const runners = useQuery(runnersQuery);
  const train = useTrain((run) => void navigate({ to: "/", search: { run: run.id } }));
  return (
    <WayIn
      title="Train new"
      text="Choose an environment and an algorithm, press TRAIN and watch. The first one is ready: an agent that learns to balance a pole in seconds."
    >
      <Button
        kind="primary"
        icon="play"
        disabled={!runners.data || train.isPending}
        onClick={() => train.mutate(firstRun(offersOf(runners.data ?? [])))}
      >
        Train CartPole
      </Button>
      <TextLink to="/">Open the lab</TextLink>
    </WayIn>
  );
}

function UseTrained() {
  return (
    <WayIn
      title="Use trained"
      text="Watch, test or continue an agent that was trained here, or adopt a folder of another tool: TensorBoard, Stable-Baselines3, CleanRL and others."
    >
      <Link
        to="/"
        search={{ way: "trained" }}
        className="inline-flex h-9 items-center rounded-sm border border-line-strong px-3.5 text-sm font-medium hover:bg-sunken"
      >
        Show trained models
      </Link>
      <TextLink to="/runs">All runs</TextLink>
    </WayIn>
  );
}

function WayIn({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <Panel title={title}>
      <div className="flex h-full flex-col gap-4">
        <p className="flex-1 text-sm text-ink-2">{text}</p>
        <div className="flex flex-wrap items-center gap-4">{children}</div>
      </div>
    </Panel>
  );
}

const STEPS = [
  {
    title: "Train",
    text: "TRAIN starts a run. It continues when you close the page, and stops when you say so.",
  },
  {
    title: "Watch",
    text: "The feed shows the agent while it learns. Click any bar or point of a curve to replay that very episode, step by step.",
  },
  {
    title: "Understand",
    text: "The analysis explains the curves with their numbers and proposes what to change. Compare runs, film them, hand in a report.",
  },
];

function FirstSteps() {
  return (
    <Panel title="Three first steps">
      <ol className="grid gap-5 sm:grid-cols-3">
        {STEPS.map((step, i) => (
          <li key={step.title} className="flex gap-3">
            <span aria-hidden="true" className="figures text-lg text-ink-3">
              {i + 1}
            </span>
            <div>
              <h3 className="text-sm font-semibold">{step.title}</h3>
              <p className="text-sm text-ink-2">{step.text}</p>
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function Sample({ envId, name, task, result }: SampleResult) {
  return (
    <li className="flex flex-col gap-1">
      <Thumbnail envId={envId} className="aspect-3/2 w-full border" />
      <h3 className="mt-1 text-sm font-semibold">{name}</h3>
      <p className="text-sm text-ink-2">{task}</p>
      <p className="text-sm">{result}</p>
      <Link
        to="/"
        search={{ env: envId }}
        className="self-start text-sm text-ink-2 underline underline-offset-4 hover:text-ink"
      >
        {`Prepare ${name}`}
      </Link>
    </li>
  );
}

function More() {
  const navigate = useNavigate();
  const startTour = async () => {
    await navigate({ to: "/" });
    isTourOn.set(true);
  };
  return (
    <p className="flex flex-wrap items-center gap-x-5 gap-y-2 text-sm">
      <button type="button" onClick={() => void startTour()} className={TEXT_LINK}>
        Take the tour
      </button>
      <TextLink to="/docs">Docs</TextLink>
      <Link to="/docs/$" params={{ _splat: "glossary" }} className={TEXT_LINK}>
        Glossary
      </Link>
      <a href="/api/docs" target="_blank" rel="noreferrer" className={TEXT_LINK}>
        HTTP interface
      </a>
      <TextLink to="/system">Check this machine</TextLink>
      <span className="text-ink-3">This page: Ctrl K, “welcome”.</span>
    </p>
  );
}

const TEXT_LINK = "text-ink-2 underline underline-offset-4 hover:text-ink";

function TextLink({ to, children }: { to: "/" | "/runs" | "/system" | "/docs"; children: ReactNode }) {
  return (
    <Link to={to} className={`text-sm ${TEXT_LINK}`}>
      {children}
    </Link>
  );
}
