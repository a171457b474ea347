/**
 * Converts names of the schema to TypeScript identifiers. Letters of any script
 * stay. A name that is not an identifier gets a documented spelling: invalid
 * characters are removed, a reserved or special name gets a trailing `_`, and a
 * name that is already used gets the first free number.
 */
const reservedWords: ReadonlySet<string> = new Set(
  (
    "abstract any arguments as asserts async await bigint boolean break case catch class const constructor continue " +
    "debugger declare default delete do else enum eval export extends false finally for from function get global " +
    "if implements import in infer instanceof interface intrinsic is keyof let module namespace never new null " +
    "number object of out override package private protected prototype public readonly require return satisfies " +
    "set static string super switch symbol then this throw toJSON toString true try type typeof undefined unique " +
    "unknown using valueOf var void while with yield NaN Infinity hasOwnProperty isPrototypeOf " +
    "propertyIsEnumerable toLocaleString __proto__ __defineGetter__ __defineSetter__ __lookupGetter__ " +
    "__lookupSetter__ " +
    // Globals that code near the name may use: a local variable of that name
    // would hide them.
    "atob btoa clearImmediate clearInterval clearTimeout console crypto decodeURI decodeURIComponent encodeURI " +
    "encodeURIComponent escape exports fetch globalThis isFinite isNaN navigator parseFloat parseInt performance " +
    "process queueMicrotask reportError self setImmediate setInterval setTimeout structuredClone unescape window"
  ).split(" "),
);

/**
 * Members with a special meaning for every object, for `await`, or in an
 * interface, where `new()` is a constructor.
 */
const magicNames: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  "new",
  "then",
  "toJSON",
  "prototype",
]);

/**
 * Letters, their marks and digits of all scripts, as in identifiers of every
 * Unicode version.
 */
const letterClasses = String.raw`\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}`;
const betweenWords = new RegExp(`[^${letterClasses}]+`, "u");
const notInIdentifier = new RegExp(`[^${letterClasses}_$]+`, "gu");
const notInFileName = new RegExp(`[^${letterClasses}.-]+`, "gu");

/**
 * The letters that Unicode has added since version 12, which is what TypeScript
 * 5.4 knows, in hexadecimal. With them a name would not compile, and would
 * depend on the version of Node.js.
 */
const newLetters = [
  "870-89f 8b5 8be-8d2 b55 c3c c5c-c5d cdc-cdd cf3 d04 d81 ece 170d",
  "1715-171f 180f 1abf-1aeb 1b4c 1c89-1c8a 1dfa 2c2f 2c5f 2e2f 31bb-31bf",
  "4db6-4dbf 9ff0-9fff a7c0-a7c1 a7c7-a7f6 a82c ab68-ab69 10570-105f3",
  "10780-107ba 10940-10959 10d40-10eff 10f70-10fc4 11070-11075 110c2",
  "11147 111ce-111cf 1123f-11241 11380-113e2 11460-11461 116d0-116e3",
  "11740-11746 11900-11959 11ab0-11abf 11b60-11bf9 11db0-11de9",
  "11f00-11fb0 12f90-12ff0 1342f-143fa 16100-16139 16a70-16ac9",
  "16d40-16d79 16ea0-16ed3 16fe4-16ff6 187f8-187ff 18af3-1affe",
  "1b11f-1b132 1b155 1ccf0-1cf46 1df00-1df2a 1e030-1e08f 1e290-1e2ae",
  "1e4d0-1e7fe 1fbf0-1fbf9 2a6d7-2a6df 2b735-2b73f 2cea2-2cead",
  "2ebf0-2ee5d 30000-10ffff",
].join(" ");
const notForNames = new RegExp(
  `[${newLetters.replace(/[\da-f]+/g, "\\u{$&}").replaceAll(" ", "")}]+`,
  "gu",
);

/**
 * The name in one spelling, without letters that cannot be seen, and with
 * spaces in place of those that a compiler may not know.
 */
function visible(name: string): string {
  return name
    .normalize("NFC")
    .replace(/\p{Default_Ignorable_Code_Point}+/gu, "")
    .replace(notForNames, " ");
}

/** The first characters of a name, without half a character at the end. */
export function shorten(name: string, length: number): string {
  return name.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}

/**
 * The words of a name, split at invalid characters and before capital letters.
 */
export function words(name: string): string[] {
  return visible(name)
    .replace(/([\p{Ll}\p{Nd}])(\p{Lu})/gu, "$1 $2")
    .split(betweenWords)
    .filter((word) => word !== "");
}

/**
 * A variable or method name: `list_changed` and `ListChanged` both become
 * `listChanged`.
 */
export function camelCase(name: string): string {
  const [first = "value", ...others] = words(name);
  return (lowerFirst(first) + others.map(upperFirst).join("")).normalize("NFC");
}

/**
 * Lowers the first letter, or the whole first acronym: `URLElicitation` becomes
 * `urlElicitation`.
 */
export function lowerFirst(name: string): string {
  return name.replace(/^\p{Lu}+(?=\p{Lu}\p{Ll})|^\p{Lu}+$|^\p{Lu}/u, (start) =>
    start.toLowerCase(),
  );
}

export function upperFirst(name: string): string {
  return name.replace(/^./u, (first) => first.toUpperCase());
}

/**
 * An identifier similar to the name: never empty, never reserved, at most 60
 * characters.
 */
export function safeIdentifier(name: string): string {
  const valid = validIdentifier(name);
  return reservedWords.has(valid) ? `${valid}_` : valid;
}

function validIdentifier(name: string): string {
  const valid = shorten(visible(name).replace(notInIdentifier, "_"), 60);
  return /^[\p{L}\p{Nl}_$]/u.test(valid) ? valid : `_${valid}`;
}

/**
 * Assigns identifiers, each once. Collisions are numbered in the order of the
 * calls: `name`, `name2`, `name3`.
 */
export class Names {
  readonly #taken: Set<string>;

  constructor(reserved: Iterable<string> = []) {
    this.#taken = new Set(reserved);
  }

  /** Reserves names that are already used in the same place. */
  take(names: readonly string[]): void {
    for (const name of names) this.#taken.add(name);
  }

  has(name: string): boolean {
    return this.#taken.has(name);
  }

  /**
   * A member of a class: reserved words are allowed, names that are already
   * used get an underscore, then numbers.
   */
  claimMember(base: string): string {
    const valid = validIdentifier(base);
    const plain = magicNames.has(valid) ? `${valid}_` : valid;
    return this.#unique(this.#taken.has(plain) ? `${plain}_` : plain);
  }

  claim(base: string): string {
    return this.#unique(safeIdentifier(base));
  }

  #unique(base: string): string {
    let name = base;
    for (let number = 2; this.#taken.has(name); number += 1)
      name = `${base}${number}`;
    this.#taken.add(name);
    return name;
  }
}

/**
 * Names of folders or files, in order: letters, digits, dots and dashes,
 * distinct on a case-insensitive disk.
 */
export function folderNames(revisions: readonly string[]): string[] {
  const names = new Set(["runtime"]);
  // A disk may also change the spelling of a letter.
  const fold = (name: string): string =>
    name.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
  return revisions.map((revision) => {
    const letters = visible(revision).replace(notInFileName, "-");
    const slug =
      shorten(letters.replace(/^[.-]+/, ""), 60).replace(
        /(^|[^.-])[.-]+$/,
        "$1",
      ) || "revision";
    const base = /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(slug)
      ? `${slug}-revision`
      : slug;
    let name = base;
    for (let number = 2; names.has(fold(name)); number += 1)
      name = `${base}-${number}`;
    names.add(fold(name));
    return name;
  });
}
