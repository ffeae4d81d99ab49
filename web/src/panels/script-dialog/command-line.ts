/** A typed command line as words, the way a shell splits it: quotes and backslashes, nothing else. Pure. */

export function splitWords(line: string): string[] {
  const words: string[] = [];
  let word = "";
  let isOpen = false;
  let quote = "";
  for (let i = 0; i < line.length; i++) {
    const char = line[i]!;
    if (char === "\\" && quote !== "'" && i + 1 < line.length) {
      word += line[++i];
      isOpen = true;
    } else if (quote) {
      if (char === quote) quote = "";
      else word += char;
    } else if (char === '"' || char === "'") {
      quote = char;
      isOpen = true;
    } else if (/\s/.test(char)) {
      if (isOpen) words.push(word);
      [word, isOpen] = ["", false];
    } else {
      word += char;
      isOpen = true;
    }
  }
  if (isOpen) words.push(word);
  return words;
}

/** Words as one line that splits into the same words again. */
export const joinWords = (words: readonly string[]): string =>
  words
    .map((word) => (/^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(" ");

/** "NAME=VALUE" lines as variables; the first line of another form is returned as wrong. */
export function parseVariables(text: string): { variables: Record<string, string>; wrong: string | null } {
  const variables: Record<string, string> = {};
  for (const line of text.split("\n").map((one) => one.trim())) {
    if (!line) continue;
    const found = /^([A-Za-z_]\w*)=(.*)$/.exec(line);
    if (!found) return { variables, wrong: `“${line}” is not NAME=VALUE.` };
    variables[found[1]!] = found[2]!;
  }
  return { variables, wrong: null };
}
