/** Files and folders that were dropped on the page or chosen, with their paths. */
import type { FoundFile } from "./code-files";

/** More files than any environment has: something else was dropped, such as a home folder. */
const MOST_FILES = 1000;

export const chosenFiles = (files: FileList | null): FoundFile[] =>
  [...(files ?? [])].map((file) => ({ path: file.webkitRelativePath || file.name, file }));

/** The files of a drop. A browser forgets its entries after the event, so they are taken before anything is awaited. */
export async function droppedFiles({ items, files }: DataTransfer): Promise<FoundFile[]> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  if (entries.length === 0) return chosenFiles(files);
  const found: FoundFile[] = [];
  for (const entry of entries) await collect(entry, found);
  return found;
}

async function collect(entry: FileSystemEntry, found: FoundFile[]): Promise<void> {
  if (found.length > MOST_FILES)
    throw new Error(
      `There are more than ${MOST_FILES} files. Drop only the folder or the files of the environment.`,
    );
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    ).catch(() => {
      throw new Error(`“${entry.name}” could not be read. It was moved or is protected; drop it again.`);
    });
    found.push({ path: entry.fullPath.replace(/^\//, ""), file });
  } else if (!entry.name.startsWith(".") && entry.name !== "__pycache__") {
    for (const inner of await entriesOf(entry as FileSystemDirectoryEntry)) await collect(inner, found);
  }
}

/** A browser hands over the entries of a folder in parts; an empty part is the end. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    ).catch(() => {
      throw new Error(`The folder “${folder.name}” could not be read. Drop it again, or choose its files.`);
    });
    if (part.length === 0) return all;
    all.push(...part);
  }
}
