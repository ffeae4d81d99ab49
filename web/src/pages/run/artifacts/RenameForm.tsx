/** A new title for a file. */
import { useState } from "react";
import { FormButtons } from "@/panels/text-field/FormButtons";

export interface RenameFormProps {
  title: string;
  onCancel: () => void;
  onRename: (name: string) => void;
}

export function RenameForm({ title, onCancel, onRename }: RenameFormProps) {
  const [name, setName] = useState(title);
  const isSame = name.trim() === "" || name.trim() === title;
  return (
    <form
      className="flex flex-col gap-4 p-5 text-sm"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSame) onRename(name.trim());
      }}
    >
      <label className="flex flex-col gap-1">
        <span className="text-ink-2">Name</span>
        <input
          value={name}
          maxLength={200}
          onChange={(event) => setName(event.target.value)}
          className="h-9 rounded-sm border border-line-strong bg-surface px-2"
        />
      </label>
      <FormButtons submit="Rename" isDisabled={isSame} onCancel={onCancel} />
    </form>
  );
}
