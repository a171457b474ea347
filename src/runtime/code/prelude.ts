/**
 * What the prelude tells the host of a program that ended: the value, which a
 * program may leave out, or what was thrown.
 */
export interface Ended {
  readonly value?: unknown;
  readonly thrown?: string;
}

/** The names of the tools of each server. */
type Servers = Readonly<Record<string, readonly string[]>>;

/** Calls a tool of the host: `[server, tool, arguments]` as JSON. */
type Call = (text: string) => Promise<string>;

/** What the host answers to a call. */
interface Answer {
  readonly value?: unknown;
  readonly error?: string;
}

/**
 * Runs inside the guest, before the program: defines a namespace for each
 * server and `console`, and removes what compiles text. It is passed as text,
 * so it uses nothing that is declared outside.
 *
 * All that crosses the border is text. A program that changes built-in objects
 * harms only itself: the host reads JSON, and checks it.
 */
class Prelude {
  readonly #stringify = JSON.stringify;
  readonly #parse = JSON.parse;
  readonly #prototypeOf = Object.getPrototypeOf;
  readonly #base = Object.prototype;
  readonly #keys = Object.keys;
  readonly #isArray = Array.isArray;
  readonly #isFinite = Number.isFinite;

  constructor(servers: Servers, call: Call, print: (text: string) => void) {
    const define = (name: string, value?: object): unknown =>
      Object.defineProperty(globalThis, name, { value: Object.freeze(value) });
    for (const [server, tools] of Object.entries(servers)) {
      const methods = tools.map((tool) => [
        tool,
        this.#method(server, tool, call),
      ]);
      define(server, Object.fromEntries(methods));
    }
    const log = this.#printer(print);
    define("console", {
      debug: log,
      error: log,
      info: log,
      log,
      warn: log,
    });
    // What one engine has and another has not is no promise.
    for (const name of ["eval", "Function", "performance", "queueMicrotask"])
      define(name);
    // Nothing of the program is compiled later, when nobody checks it.
    for (const sample of [
      function () {},
      async function () {},
      function* () {},
      async function* () {},
    ])
      Object.defineProperty(Object.getPrototypeOf(sample), "constructor", {
        value: undefined,
      });
  }

  /** Runs the program, and tells the host how it ended. */
  async run(
    program: () => unknown,
    done: (text: string) => void,
  ): Promise<void> {
    try {
      const value = await program();
      const text =
        value === undefined ? "" : `"value":${this.#jsonOf(value, "value", 0)}`;
      done(`{${text}}`);
    } catch (error) {
      done(this.#thrown(error));
    }
  }

  /** The function of a tool. */
  #method(
    server: string,
    tool: string,
    call: Call,
  ): (...values: unknown[]) => Promise<unknown> {
    const start = `[${this.#stringify(server)},${this.#stringify(tool)},`;
    return async (...values) => {
      if (values.length > 1)
        throw new TypeError(`${server}.${tool} takes one object of arguments`);
      const place = `${server}.${tool}: the argument`;
      const text = this.#jsonOf(values[0] ?? {}, place, 0);
      const answer = this.#parse(await call(`${start}${text}]`)) as Answer;
      if (answer.error === undefined) return answer.value;
      throw new Error(answer.error);
    };
  }

  /** The function that prints its values in a line. */
  #printer(print: (text: string) => void): (...values: unknown[]) => void {
    return (...values) => {
      let text = "";
      for (let i = 0; i < values.length; i++)
        text += `${i ? " " : ""}${this.#shown(values[i])}`;
      print(`${text}\n`);
    };
  }

  /**
   * What a program threw, whatever that is. Made of texts alone: a program may
   * have added `toJSON` to all objects.
   */
  #thrown(error: unknown): string {
    let kind = "Error";
    let told: string | undefined;
    try {
      const { name, message } = error as { name: unknown; message: unknown };
      if (typeof message === "string") told = message;
      if (typeof name === "string") kind = name;
    } catch {
      // It is no object, or its members throw.
    }
    const text = `${kind}: ${told ?? this.#shown(error)}`;
    return `{"thrown":${this.#stringify(text)}}`;
  }

  /** What a program prints of a value. Never throws. */
  #shown(value: unknown): string {
    try {
      if (typeof value === "string") return value;
      if (typeof value === "object") return this.#jsonOf(value, "value", 0);
      return String(value);
    } catch {
      return `[${typeof value}]`;
    }
  }

  /** A value as JSON. Throws with the place of what JSON does not have. */
  #jsonOf(value: unknown, place: string, depth: number): string {
    if (depth > 100)
      throw new TypeError(`${place} is nested deeper than 100 levels`);
    if (value === null || typeof value === "boolean" || this.#isFinite(value))
      return `${value}`;
    if (typeof value === "string") return this.#stringify(value);
    if (this.#isArray(value)) {
      let text = "[";
      for (let i = 0; i < value.length; i++)
        text += `${i ? "," : ""}${this.#jsonOf(value[i], `${place}[${i}]`, depth + 1)}`;
      return `${text}]`;
    }
    if (!this.#isPlain(value))
      throw new TypeError(
        `${place} is ${this.#kindOf(value)}, which is not a JSON value`,
      );
    let text = "{";
    // By index: a program may have changed how arrays are iterated.
    const list = this.#keys(value);
    for (let i = 0; i < list.length; i++) {
      const key = list[i] ?? "";
      const member = value[key];
      if (member === undefined) continue;
      const name = this.#stringify(key);
      const where = /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${name}]`;
      const json = this.#jsonOf(member, `${place}${where}`, depth + 1);
      text += `${text === "{" ? "" : ","}${name}:${json}`;
    }
    return `${text}}`;
  }

  #isPlain(value: unknown): value is Record<string, unknown> {
    if (typeof value !== "object") return false;
    const prototype = this.#prototypeOf(value);
    return prototype === this.#base || prototype === null;
  }

  /** What a value is, in words. */
  #kindOf(value: unknown): string {
    if (typeof value === "number") return `${value}`;
    if (typeof value !== "object") return `a ${typeof value}`;
    const name = value?.constructor?.name;
    return typeof name === "string" && name !== "" ? `a ${name}` : "an object";
  }
}

/** The prelude as an engine evaluates it. */
export const preludeOf = (servers: Servers): string =>
  `((call, print, done) => {
    const prelude = new (${String(Prelude)})(${JSON.stringify(servers)}, call, print);
    return (program) => prelude.run(program, done);
  })`;
