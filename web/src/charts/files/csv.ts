/** A text as a cell of a CSV file. A spreadsheet runs a cell that begins like a formula, so such a text gets a leading
 * apostrophe; numbers are written as they are. The server has the same rule in `core/words/csv_text.py`. */

const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/;

export const textCell = (text: string): string => quoted(FORMULA.test(text) ? `'${text}` : text);

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
