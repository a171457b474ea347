/**
 * Serializes a JSON value to text that does not depend on the order of members. Throws a `RangeError` for a value that is nested
 * too deeply.
 */
export function canonical(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const members = value as Readonly<Record<string, unknown>>;
  return `{${Object.keys(members)
    .filter((name) => members[name] !== undefined)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(members[name])}`)
    .join(",")}}`;
}

/**
 * The first 128 bits of SHA-256, in hex. Implemented here because questions are compared synchronously and WebCrypto is
 * asynchronous.
 */
export function digest(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array(((bytes.length + 72) >> 6) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const words = new DataView(padded.buffer);
  words.setUint32(padded.length - 8, Math.floor(bytes.length / 0x20000000));
  words.setUint32(padded.length - 4, bytes.length * 8);
  const { rounds, start } = (constants ??= derive());
  const state = Uint32Array.from(start);
  const w = new Uint32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 16; i++) w[i] = words.getUint32(block + i * 4);
    for (let i = 16; i < 64; i++) {
      const a = w[i - 15] as number;
      const b = w[i - 2] as number;
      w[i] =
        (w[i - 16] as number) +
        (w[i - 7] as number) +
        (rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3)) +
        (rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10));
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
    for (let i = 0; i < 64; i++) {
      const t1 =
        h +
        (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
        ((e & f) ^ (~e & g)) +
        (rounds[i] as number) +
        (w[i] as number);
      const t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => (state[i] = (state[i] as number) + value));
  }
  return Array.from(state.subarray(0, 4), (word) => word.toString(16).padStart(8, "0")).join("");
}

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

let constants: { rounds: Uint32Array; start: Uint32Array } | undefined;

/** The constants of SHA-256: fractional parts of the roots of the first primes (FIPS 180-4). */
function derive(): { rounds: Uint32Array; start: Uint32Array } {
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n);
  const fraction = (x: number): number => (x - Math.floor(x)) * 0x100000000;
  return {
    rounds: Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
    start: Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
  };
}
