/** An archive that cannot be read or is larger than the limits. */
export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
}

/** A file of a .tar. Folders and links are left out. */
export interface TarFile {
  readonly path: string;
  readonly size: number;
}

export interface TarContent {
  readonly path: string;
  readonly bytes: Uint8Array;
}

const blockSize = 512;
/** The maximum size of an entry that describes the next one: such as its path, if that is long. */
const maxDescription = 1_000_000;

/**
 * Reads the files of a .tar that `filter` selects, in the formats of POSIX (ustar and pax) and of GNU. The time is
 * proportional to the size, whatever the archive contains, and only selected files are in memory.
 *
 * @throws ArchiveError if it is not a complete .tar
 */
export async function readTar(
  chunks: AsyncIterable<Uint8Array>,
  filter: (file: TarFile) => boolean,
): Promise<TarContent[]> {
  const bytes = new ByteReader(chunks);
  const contents: TarContent[] = [];
  let description: Description = {};
  for (;;) {
    const block = await bytes.take(blockSize);
    if (block.every((byte) => byte === 0)) break;
    const { type, ...header } = headerIn(block);
    if (type === "x" || type === "L" || type === "g" || type === "K") {
      if (header.size > maxDescription) throw incomplete("the description of a file is too long");
      const text = await bytes.take(header.size);
      await bytes.skip(paddingOf(header.size));
      // A global description is a comment of git, and "K" is the target of a link.
      if (type === "x") Object.assign(description, descriptionIn(text));
      if (type === "L") description.path = textOf(text);
      continue;
    }
    const { path, size } = { ...header, ...description };
    description = {};
    // Links, devices and folders have no content.
    if (/[1-6]/.test(type)) continue;
    if (filter({ path, size })) contents.push({ path, bytes: await bytes.take(size) });
    else await bytes.skip(size);
    await bytes.skip(paddingOf(size));
  }
  await bytes.end();
  return contents;
}

interface Header {
  readonly path: string;
  readonly size: number;
  readonly type: string;
}

function headerIn(block: Buffer): Header {
  // The checksum counts as spaces.
  const sum = block.reduce((total, byte, i) => total + (i >= 148 && i < 156 ? 0x20 : byte), 0);
  if (numberIn(block.subarray(148, 156)) !== sum) throw incomplete("the checksum of a header is wrong");
  const prefix = block.toString("latin1", 257, 263) === "ustar\0" ? textOf(block.subarray(345, 500)) : "";
  const name = textOf(block.subarray(0, 100));
  return {
    path: prefix === "" ? name : `${prefix}/${name}`,
    size: numberIn(block.subarray(124, 136)),
    type: block.toString("latin1", 156, 157),
  };
}

/** What the entry before a file says about it. */
interface Description {
  path?: string;
  size?: number;
}

/** Reads the records of pax: `30 path=folder/file\n`, where the number is the length of the record. */
function descriptionIn(bytes: Buffer): Description {
  const description: Description = {};
  for (let start = 0; start < bytes.length;) {
    const [head = "", digits] = /^([1-9]\d{0,6}) /.exec(bytes.toString("latin1", start, start + 8)) ?? [];
    const end = start + Number(digits);
    if (!(end > start + head.length && end <= bytes.length)) throw incomplete("a description is wrong");
    const record = bytes.toString("utf8", start + head.length, end - 1);
    if (record.startsWith("path=")) description.path = record.slice(5);
    if (/^size=\d{1,15}$/.test(record)) description.size = Number(record.slice(5));
    start = end;
  }
  return description;
}

/** Text up to the first NUL. */
function textOf(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString("utf8", 0, end < 0 ? bytes.length : end);
}

function numberIn(bytes: Buffer): number {
  const [, digits] = /^ *([0-7]*)[ \0]*$/.exec(bytes.toString("latin1")) ?? [];
  // A size above 8 GB, which is binary, is above the maximum too.
  if (digits === undefined) throw incomplete("a number in a header is wrong");
  return digits === "" ? 0 : Number.parseInt(digits, 8);
}

const paddingOf = (size: number): number => -size & (blockSize - 1);

const incomplete = (reason: string): ArchiveError =>
  new ArchiveError(`it is not a complete .tar.gz: ${reason}`);

class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  async take(length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let missing = length; missing > 0;) {
      const part = await this.#next(missing);
      parts.push(part);
      missing -= part.length;
    }
    return Buffer.concat(parts);
  }

  async skip(length: number): Promise<void> {
    for (let missing = length; missing > 0;) missing -= (await this.#next(missing)).length;
  }

  /** Reads what comes after the last file. */
  async end(): Promise<void> {
    for (;;) if ((await this.#chunks.next()).done === true) return;
  }

  /** The next bytes, at least one. */
  async #next(maxLength: number): Promise<Buffer> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#chunks.next();
      if (done === true) throw incomplete("it ends too early");
      this.#rest = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    }
    const part = this.#rest.subarray(0, maxLength);
    this.#rest = this.#rest.subarray(part.length);
    return part;
  }
}
