/**
 * Python files of this computer as one text, as core/workbench/code_files.py has it: each file begins with a line
 * `# --- file: name.py`. One file alone is its text.
 */

/** As MAX_CODE_BYTES in core/workbench/codes.py. */
export const MOST_BYTES = 256 * 1024;
/** The file with the class of the environment. */
const MAIN = "environment.py";
const PACKAGE = "__init__.py";
/** As the command line leaves them out. */
const SKIPPED = ["__pycache__", ".git", ".venv", "tests"];
const PATH = /^(?:[A-Za-z_][\p{L}\p{N}_]{0,63}\/){0,4}[A-Za-z_][\p{L}\p{N}_]{0,63}\.py$/u;

export interface FoundFile {
  /** From the folder that was dropped or chosen, with /. */
  path: string;
  file: Blob;
}

/** The text, and the names of files that are no Python; or why there is none. */
export type Joined =
  | { source: string; leftOut: string[]; problem?: undefined }
  | { problem: string; source?: undefined };

/** What is wrong with the files, as a person can correct it. */
class FileProblem extends Error {}

export async function joinFiles(found: readonly FoundFile[]): Promise<Joined> {
  try {
    const wanted = withoutCommonFolder(found).filter(
      ({ path }) => !path.split("/").some((part) => SKIPPED.includes(part)),
    );
    const files = wanted.filter(({ path }) => path.endsWith(".py"));
    const leftOut = wanted.filter(({ path }) => !path.endsWith(".py")).map(({ path }) => path);
    requireSome(files, leftOut);
    requireSmall(files.reduce((sum, { file }) => sum + file.size, 0));
    const texts = await Promise.all(
      files.map(async ({ path, file }) => ({ path, text: await textOf(path, file) })),
    );
    const source = joinTexts(texts);
    requireSmall(new TextEncoder().encode(source).length);
    return { source, leftOut };
  } catch (error) {
    if (error instanceof FileProblem) return { problem: error.message };
    throw error;
  }
}

/** "maze/environment.py" and "maze/maps.py" are files of the folder maze. */
function withoutCommonFolder(files: readonly FoundFile[]): FoundFile[] {
  const folder = files[0]?.path.match(/^[^/]+\//)?.[0];
  if (!folder || !files.every(({ path }) => path.startsWith(folder))) return [...files];
  return files.map(({ path, file }) => ({ path: path.slice(folder.length), file }));
}

function requireSome(files: readonly FoundFile[], leftOut: readonly string[]): void {
  if (files.length > 0) return;
  throw new FileProblem(
    leftOut.length === 1
      ? `“${leftOut[0]}” is not a Python file. Choose files whose names end with .py.`
      : "There is no Python file among them. Choose files whose names end with .py.",
  );
}

function requireSmall(bytes: number): void {
  if (bytes <= MOST_BYTES) return;
  const size = Math.ceil(bytes / 1024).toLocaleString("en");
  throw new FileProblem(
    `All Python files together have ${size} KiB; an environment may have ${MOST_BYTES / 1024} KiB. Choose fewer or smaller files.`,
  );
}

async function textOf(path: string, file: Blob): Promise<string> {
  const bytes = await file.arrayBuffer().catch(() => {
    throw new FileProblem(
      `“${path}” could not be read. It was moved, changed or is protected; choose it again.`,
    );
  });
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return text.replace(/\r\n?/g, "\n");
  } catch {
    // No UTF-8.
  }
  throw new FileProblem(`“${path}” is not Python text: it must be text in UTF-8. Save it as UTF-8.`);
}

interface FileText {
  path: string;
  text: string;
}

/** The main file first. */
function joinTexts(files: readonly FileText[]): string {
  const only = files.length === 1 ? files[0] : undefined;
  if (only) {
    if (only.text.trim() === "") throw new FileProblem(`“${only.path}” is empty. Choose another file.`);
    return only.text;
  }
  const named = withMain(files).filter(({ text }) => text.trim() !== "");
  for (const { path } of named)
    if (!PATH.test(path))
      throw new FileProblem(
        `“${path}” cannot be imported in Python. Use letters, digits and _ in its name, and at most four folders.`,
      );
  if (!named.some(({ path }) => path === MAIN))
    throw new FileProblem(`“${MAIN}” is empty. It must have the class of the environment.`);
  const order = named.toSorted(
    (a, b) => Number(b.path === MAIN) - Number(a.path === MAIN) || (a.path < b.path ? -1 : 1),
  );
  if (order.length === 1) return order[0]!.text;
  return order.map(({ path, text }) => `# --- file: ${path}\n${text.trimEnd()}\n\n`).join("");
}

/** A package may have its class in __init__.py. */
function withMain(files: readonly FileText[]): FileText[] {
  const has = (wanted: string) => files.some(({ path }) => path === wanted);
  if (has(MAIN)) return [...files];
  if (!has(PACKAGE))
    throw new FileProblem(
      `None of the ${files.length} files is ${MAIN} or ${PACKAGE}. Name the file with the environment’s class ${MAIN}.`,
    );
  return files.map((file) => (file.path === PACKAGE ? { ...file, path: MAIN } : file));
}
