/** A folder of Minari as one file to send: its two files in a zip without compression, which the lab reads in place. */

const [MAIN, METADATA] = ["main_data.hdf5", "metadata.json"];
/** Beyond it a zip needs another format. */
const MOST_BYTES = 0xffff_fff0;
const PIECE_BYTES = 8 * 1024 * 1024;

/** The same folder gives the same bytes, so that an upload can resume. */
export async function packMinariFolder(files: readonly File[]): Promise<File> {
  const mains = files.filter(({ name }) => name === MAIN);
  if (mains.length === 0)
    throw new Error(`This is no folder of Minari: it has no ${MAIN}. Choose a single file instead.`);
  if (mains.length > 1)
    throw new Error(`The folder holds ${mains.length} datasets. Choose the folder of one of them.`);
  const main = mains[0]!;
  const metadata = files.find((file) => file.name === METADATA && folderOf(file) === folderOf(main));
  if (!metadata) throw new Error(`${METADATA} is missing next to ${MAIN}. Choose the whole folder.`);
  if (main.size + metadata.size > MOST_BYTES)
    throw new Error(
      "The folder is larger than 4 GB. Import it by its path, or send it packed with `zip -0 -r`.",
    );
  const top = pathOf(main).split("/")[0]!;
  return new File([await storedZip([metadata, main])], `${top === MAIN ? "minari" : top}.zip`);
}

const pathOf = (file: File): string => file.webkitRelativePath || file.name;
const folderOf = (file: File): string => pathOf(file).slice(0, -file.name.length);

/** As the ZIP format has it, with every file stored as it is. */
async function storedZip(files: readonly File[]): Promise<Blob> {
  const parts: BlobPart[] = [];
  const directory: BlobPart[] = [];
  let [offset, listed] = [0, 0];
  for (const file of files) {
    const name = new TextEncoder().encode(`data/${file.name}`);
    const about = [half(0), half(0), half(0), half(FIRST_DAY), word(await crcOf(file)), word(file.size)];
    about.push(word(file.size), half(name.length), half(0));
    const local = bytesOf([word(0x04034b50), half(VERSION), ...about]);
    const places = [half(0), half(0), half(0), word(0), word(offset)];
    const entry = bytesOf([word(0x02014b50), half(VERSION), half(VERSION), ...about, ...places]);
    parts.push(local, name, file);
    directory.push(entry, name);
    offset += local.length + name.length + file.size;
    listed += entry.length + name.length;
  }
  const counts = [half(0), half(0), half(files.length), half(files.length)];
  const end = bytesOf([word(0x06054b50), ...counts, word(listed), word(offset), half(0)]);
  return new Blob([...parts, ...directory, end]);
}

/** 2.0, and 1 January 1980: the earliest day of the format, whatever the files say. */
const [VERSION, FIRST_DAY] = [20, 33];

const half = (value: number): number[] => [value & 0xff, (value >>> 8) & 0xff];
const word = (value: number): number[] => [...half(value), ...half(value >>> 16)];
const bytesOf = (fields: readonly number[][]): Uint8Array<ArrayBuffer> => new Uint8Array(fields.flat());

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** The checksum of the format, read a piece at a time. */
async function crcOf(file: Blob): Promise<number> {
  let crc = 0xffff_ffff;
  for (let from = 0; from < file.size; from += PIECE_BYTES) {
    const piece = new Uint8Array(await file.slice(from, from + PIECE_BYTES).arrayBuffer());
    for (const byte of piece) crc = CRC_TABLE[(crc ^ byte) & 0xff]! ^ (crc >>> 8);
  }
  return (crc ^ 0xffff_ffff) >>> 0;
}
