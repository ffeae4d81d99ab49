/** The API's nouns under short names; their shapes are generated (`make types`), never written here. */
import type { components } from "./schema.gen";

type Schemas = components["schemas"];

export type AdoptRequest = Schemas["AdoptRequest"];
export type AdoptResult = Schemas["AdoptResult"];
export type Algorithm = Schemas["Algorithm"];
export type Artifact = Schemas["Artifact"];
export type Consent = Schemas["Consent"];
export type CommandPreview = Schemas["CommandPreview"];
export type Environment = Schemas["Environment"];
export type EpisodeRow = Schemas["EpisodeRow"];
export type Evaluation = Schemas["Evaluation"];
export type FieldError = Schemas["FieldError"];
export type Finding = Schemas["Finding"];
export type Health = Schemas["Health"];
export type Insight = Schemas["Insight"];
export type Setting = Schemas["Setting"];
export type Tensorboard = Schemas["Tensorboard"];
export type System = Schemas["System"];
export type Kept = Schemas["Kept"];
export type Metrics = Schemas["Metrics"];
export type Preset = Schemas["Preset"];
export type Problem = Schemas["Problem"];
export type Retention = Schemas["Retention"];
export type RetentionChange = Schemas["RetentionChange"];
export type RetentionState = Schemas["RetentionState"];
export type Run = Schemas["Run"];
export type RunDiskUsage = Schemas["RunDiskUsage"];
export type RunEvent = Schemas["RunEvent"];
export type RunPage = Schemas["RunPage"];
export type Runner = Schemas["Runner"];
export type RunStatus = Schemas["RunStatus"];

export type TrainConfig = Schemas["TrainConfig"];

/** The server fills in what a request leaves out; the generator calls every field with a default required. */
export type NewRun = Partial<Schemas["NewRun"]> & Pick<Schemas["NewRun"], "env_id" | "algorithm">;
export type RunPatch = Schemas["RunPatch"];
export type Move = "start" | "stop" | "pause" | "resume";

/** One line of the live metrics of a run (topic run:<id>:metrics). */
export interface Tick {
  id: number;
  episode: number | null;
  timestep: number;
  reward: number | null;
  mean_reward: number | null;
  episode_length: number | null;
  loss: number | null;
  fps: number | null;
}
