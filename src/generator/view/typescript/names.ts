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
 * Characters that a compiler may not know as letters: those that Unicode has
 * added since version 15, and those beyond the first plane but the older
 * ideographs. Otherwise the names, too, would depend on the version of Node.js.
 */
const newLetters = new RegExp(
  String.raw`[\u{897}\u{88f}\u{c5c}\u{cdc}\u{1acf}-\u{1aff}\u{1c89}\u{1c8a}\u{2e2f}\u{a7cb}-\u{a7cf}\u{a7d2}\u{a7d4}\u{a7da}-\u{a7dc}\u{a7f1}\u{10000}-\u{1ffff}\u{2a6de}-\u{10ffff}]+`,
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
    .replace(newLetters, " ");
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
