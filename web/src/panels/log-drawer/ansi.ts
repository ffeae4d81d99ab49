/** The colours that programs write into a log with escape codes, as pieces of text with a look. Pure. */

export interface Piece {
  text: string;
  look: string;
}

/** Only colours of the page, which are readable on light and dark. */
const COLOURS: Record<number, string> = {
  30: "text-ink-3",
  31: "text-warn",
  32: "text-good",
  33: "text-warn",
  34: "text-focus",
  35: "text-focus",
  36: "text-focus",
};
const BOLD = "font-semibold";

/* The escape character and its sequences are what this file is about. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: see above
const SEQUENCE = /\u001b(?:\[([0-9;:?]*)([A-Za-z])|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: see above
const OTHER_CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

export function piecesOf(line: string): Piece[] {
  const pieces: Piece[] = [];
  const style = { colour: "", bold: "" };
  let from = 0;
  // A progress bar draws over its own line; only what it drew last is left.
  const shown = line.slice(line.replace(/\r+$/, "").lastIndexOf("\r") + 1);
  const add = (text: string) => {
    const plain = text.replace(OTHER_CONTROLS, "");
    if (plain) pieces.push({ text: plain, look: [style.colour, style.bold].filter(Boolean).join(" ") });
  };
  for (const match of shown.matchAll(SEQUENCE)) {
    add(shown.slice(from, match.index));
    from = match.index + match[0].length;
    if (match[2] === "m") restyle(style, match[1] ?? "");
  }
  add(shown.slice(from));
  return pieces;
}

function restyle(style: { colour: string; bold: string }, codes: string): void {
  const numbers = codes.split(/[;:]/).map(Number);
  // 38 and 48 are followed by a colour of their own, which the page does not have.
  const end = numbers.findIndex((code) => code === 38 || code === 48);
  for (const code of end === -1 ? numbers : numbers.slice(0, end)) {
    if (code === 0) Object.assign(style, { colour: "", bold: "" });
    else if (code === 1) style.bold = BOLD;
    else if (code === 22) style.bold = "";
    else if (code === 39 || code === 37 || code === 97) style.colour = "";
    else style.colour = COLOURS[code > 89 ? code - 60 : code] ?? style.colour;
  }
}
