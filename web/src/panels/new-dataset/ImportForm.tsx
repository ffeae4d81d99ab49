/** A dataset from a file of another tool, from Minari's server, or from the replay buffer of a run. */
import { useState } from "react";
import { TextField } from "@/panels/text-field/TextField";
import { Select } from "@/ui/Select";
import {
  hashProblem,
  type ImportDraft,
  type ImportFrom,
  importDraft,
  importOperation,
  nameFrom,
  suggestName,
  whyNoImport,
  whyNoName,
} from "./draft";
import type { WayProps } from "./EpisodesForm";
import { EnvironmentField, Labelled, MadeFields } from "./fields";
import { JobForm } from "./JobForm";
import { RunPicker } from "./RunPicker";
import { UploadField } from "./UploadField";

const FROM: { value: ImportFrom; title: string }[] = [
  { value: "upload", title: "A file or folder from this computer" },
  { value: "path", title: "A file or folder on the lab’s machine" },
  { value: "minari", title: "A dataset on Minari’s server" },
  { value: "buffer", title: "The replay buffer of a run" },
];
const FORMATS: { value: ImportDraft["format"]; title: string }[] = [
  { value: "", title: "Recognised by its contents" },
  { value: "minari", title: "Minari" },
  { value: "hdf5", title: "HDF5 (D4RL, OGBench)" },
  { value: "npz", title: "NPZ (D4RL, OGBench)" },
  { value: "parquet", title: "Parquet" },
  { value: "csv", title: "CSV" },
];

export function ImportForm({ start, onCancel, onStarted }: WayProps) {
  const [draft, setDraft] = useState(importDraft);
  const change = (part: Partial<ImportDraft>) => setDraft((before) => ({ ...before, ...part }));
  /** The name follows what is imported until somebody types one. */
  const [isNamed, setNamed] = useState(false);
  const suggest = (path: string) => (isNamed ? {} : { name: nameFrom(path) });
  const notYet = whyNoImport(draft);
  const isFile = draft.from === "upload" || draft.from === "path";
  return (
    <JobForm
      operation={notYet ? null : importOperation(draft)}
      reason={notYet ?? whyNoName(draft.name)}
      submit="Import"
      hasForecast
      onCancel={onCancel}
      onStarted={onStarted}
    >
      {(problems) => (
        <>
          <Labelled title="What to import">
            <Select
              label="What to import"
              value={draft.from}
              options={FROM}
              onChange={(from) => change({ from })}
            />
          </Labelled>
          {draft.from === "upload" && (
            <UploadField
              file={start.file}
              problem={problems.upload}
              onName={(name) => change(suggest(name))}
              onUpload={(upload) => change({ upload: upload ?? "" })}
            />
          )}
          {draft.from === "path" && (
            <TextField
              label="Path of a file or folder"
              value={draft.path}
              placeholder="/data/hopper_medium.hdf5"
              problem={problems.path}
              onChange={(path) => change({ path, ...suggest(path) })}
            />
          )}
          {draft.from === "minari" && (
            <TextField
              label="Id on Minari’s server"
              value={draft.minari}
              placeholder="mujoco/hopper/medium-v0"
              problem={problems.minari}
              onChange={(minari) => change({ minari, ...suggest(minari.replaceAll("/", "-")) })}
            />
          )}
          {draft.from === "buffer" && (
            <RunPicker
              label="Find a training with a replay buffer"
              kind="train"
              onPick={(run) =>
                change({ bufferOf: run.id, ...(isNamed ? {} : { name: suggestName(run.name) }) })
              }
            />
          )}
          {draft.from === "buffer" && (draft.bufferOf || problems.buffer_of) && (
            <p
              role="status"
              className={problems.buffer_of ? "text-xs text-warn" : "figures text-xs text-ink-2"}
            >
              {problems.buffer_of ?? `Replay buffer of run ${draft.bufferOf}`}
            </p>
          )}
          <div className="grid gap-4 sm:grid-cols-2">
            {isFile && (
              <Labelled title="Format">
                <Select
                  label="Format"
                  value={draft.format}
                  options={FORMATS}
                  onChange={(format) => change({ format })}
                />
              </Labelled>
            )}
            {draft.from !== "buffer" && (
              <EnvironmentField
                label="Environment, where the file does not say it"
                value={draft.envId}
                placeholder="as the file says"
                problem={problems.env_id}
                onChange={(envId) => change({ envId })}
              />
            )}
            {isFile && (
              <TextField
                label="SHA-256 that the file must have (optional)"
                value={draft.sha256}
                problem={hashProblem(draft.sha256) ?? problems.sha256}
                onChange={(sha256) => change({ sha256 })}
              />
            )}
            <TextField
              label="Source (optional)"
              value={draft.source}
              placeholder="where it was downloaded"
              problem={problems.source}
              onChange={(source) => change({ source })}
            />
          </div>
          <MadeFields
            draft={draft}
            problems={problems}
            onChange={(part) => {
              if (part.name !== undefined) setNamed(true);
              change(part);
            }}
          />
        </>
      )}
    </JobForm>
  );
}
