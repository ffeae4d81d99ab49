import { expect, test } from "vitest";
import { packMinariFolder } from "./minari-folder";

function file(path: string, text: string): File {
  const made = new File([text], path.split("/").at(-1)!);
  Object.defineProperty(made, "webkitRelativePath", { value: path });
  return made;
}
const FOLDER = [
  file("pole-v0/data/main_data.hdf5", "123456789"),
  file("pole-v0/data/metadata.json", "{}"),
  file("pole-v0/notes.txt", "not sent"),
];

test("the two files of a folder of Minari become one zip that holds them as they are", async () => {
  const packed = await packMinariFolder(FOLDER);
  expect(packed.name).toBe("pole-v0.zip");
  const bytes = new Uint8Array(await packed.arrayBuffer());
  const text = new TextDecoder("latin1").decode(bytes);
  expect(text).toContain("data/main_data.hdf5123456789");
  expect(text).not.toContain("notes.txt");
  const view = new DataView(bytes.buffer);
  // The end of the directory: two entries, where it begins, and there the first entry.
  expect(view.getUint32(bytes.length - 22, true)).toBe(0x06054b50);
  expect(view.getUint16(bytes.length - 12, true)).toBe(2);
  const directory = view.getUint32(bytes.length - 6, true);
  expect(view.getUint32(directory, true)).toBe(0x02014b50);
  // 0xcbf43926 is the known checksum of "123456789".
  const second = directory + 46 + "data/metadata.json".length;
  expect(view.getUint32(second + 16, true)).toBe(0xcbf43926);
  expect(view.getUint32(second + 20, true)).toBe(9);
  expect(text.slice(view.getUint32(second + 42, true)).startsWith("PK\x03\x04")).toBe(true);
});

test("the same folder gives the same bytes, in whatever order its files are listed", async () => {
  const [one, other] = await Promise.all([packMinariFolder(FOLDER), packMinariFolder([...FOLDER].reverse())]);
  expect(await one.text()).toBe(await other.text());
});

test("a folder that is no dataset is refused with the reason", async () => {
  await expect(packMinariFolder(FOLDER.slice(1))).rejects.toThrow("no main_data.hdf5");
  await expect(packMinariFolder(FOLDER.slice(0, 1))).rejects.toThrow("metadata.json is missing");
  const two = [...FOLDER, file("pole-v1/data/main_data.hdf5", "1")];
  await expect(packMinariFolder(two)).rejects.toThrow("holds 2 datasets");
});
