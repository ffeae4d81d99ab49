/** The wrappers of the environment that the training is in. */
import type { TrainingFormProps } from "@/pages/lab/configure/form-props";
import { otherArguments, withWrappers, wrappersOf } from "@/panels/wrappers/chosen";
import { WrapperList } from "@/panels/wrappers/WrapperList";

export default function WrapperChoice({ state, draft, errors }: TrainingFormProps) {
  const others = otherArguments(draft.envKwargs);
  return (
    <div className="flex flex-col gap-3">
      {others.length > 0 && <p className="text-xs text-ink-2">{`Environment: ${others.join(", ")}`}</p>}
      <WrapperList
        wrappers={wrappersOf(draft.envKwargs)}
        errors={errors}
        onChange={(wrappers) => state.setEnvKwargs(withWrappers(draft.envKwargs, wrappers))}
      />
    </div>
  );
}
