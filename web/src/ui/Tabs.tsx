import * as Radix from "@radix-ui/react-tabs";
import { type ReactNode, useEffect, useRef } from "react";

export interface Tab<Id extends string> {
  id: Id;
  title: string;
  /** A count or badge after the title. */
  aside?: ReactNode;
  content: ReactNode;
}

export interface TabsProps<Id extends string> {
  label: string;
  tabs: Tab<Id>[];
  value: Id;
  onChange: (id: Id) => void;
}

export function Tabs<Id extends string>({ label, tabs, value, onChange }: TabsProps<Id>) {
  const list = useRef<HTMLDivElement>(null);
  // On a narrow screen the list scrolls sideways: the open tab must be visible.
  useEffect(() => {
    const open = list.current?.querySelector<HTMLElement>(`[role="tab"][id$="-trigger-${value}"]`);
    if (open)
      list.current!.scrollLeft = open.offsetLeft - list.current!.clientWidth / 2 + open.offsetWidth / 2;
  }, [value]);
  return (
    <Radix.Root value={value} onValueChange={(id) => onChange(id as Id)}>
      <Radix.List ref={list} aria-label={label} className="relative flex gap-1 overflow-x-auto border-b">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.id}
            value={tab.id}
            className="ring-inside -mb-px flex h-10 items-center gap-2 rounded-t-sm border-b-2 border-transparent px-3 text-sm font-medium whitespace-nowrap text-ink-3 hover:text-ink data-[state=active]:border-ink data-[state=active]:text-ink"
          >
            {tab.title}
            {tab.aside}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.id} value={tab.id} tabIndex={-1} className="pt-5 outline-none">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
