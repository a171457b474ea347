/**
 * What the prelude tells the host of a program that ended: the value, which a
 * program may leave out, or what was thrown.
 */
export interface Ended {
  readonly value?: unknown;
  readonly thrown?: string;
}

/**
 * Runs inside the guest, before the program: defines a namespace for each
 * server, `print` and `console`, and removes what compiles text. It is passed
 * as text, so it uses nothing that is declared outside.
 *
 * All that crosses the border is text. A program that changes built-in objects
 * harms only itself: the host reads JSON, and checks it.
 */
export function prelude(
  servers: Readonly<Record<string, readonly string[]>>,
  call: (text: string) => Promise<string>,
  print: (text: string) => void,
  done: (text: string) => void,
): (program: () => unknown) => void {
  const { stringify, parse } = JSON;
  const { entries, freeze, getPrototypeOf, keys } = Object;
  const { isArray } = Array;
  const { isFinite } = Number;
  const base = Object.prototype;
  const names = /^[A-Za-z_$][\w$]*$/;
  const deepest = 100;
  const noJson = "which is not a JSON value";

  const refuse = (place: string, what: string): never => {
    throw new TypeError(`${place} is ${what}`);
  };

  /** A value as JSON. Throws with the place of what JSON does not have. */
  const jsonOf = (value: unknown, place: string, depth: number): string => {
    if (depth > deepest)
      return refuse(place, `nested deeper than ${deepest} levels`);
    if (value === null || typeof value === "boolean") return `${value}`;
    if (typeof value === "string") return stringify(value);
    if (typeof value === "number")
      return isFinite(value)
        ? `${value}`
        : refuse(place, `${value}, ${noJson}`);
    if (typeof value !== "object")
      return refuse(place, `a ${typeof value}, ${noJson}`);
    if (isArray(value)) {
      let text = "[";
      for (let i = 0; i < value.length; i++)
        text += `${i ? "," : ""}${jsonOf(value[i], `${place}[${i}]`, depth + 1)}`;
      return `${text}]`;
    }
    const prototype: unknown = getPrototypeOf(value);
    if (prototype !== base && prototype !== null)
      return refuse(place, `${kindOf(value)}, ${noJson}`);
    let text = "{";
    // By index: a program may have changed how arrays are iterated.
    const list = keys(value);
    for (let i = 0; i < list.length; i++) {
      const key = list[i] ?? "";
      const member = (value as Record<string, unknown>)[key];
      if (member === undefined) continue;
      const where = names.test(key) ? `.${key}` : `[${stringify(key)}]`;
      const json = jsonOf(member, `${place}${where}`, depth + 1);
      text += `${text === "{" ? "" : ","}${stringify(key)}:${json}`;
    }
    return `${text}}`;
  };

  /** What an object is, in words. */
  const kindOf = (value: { constructor?: { name?: unknown } }): string => {
    const name = value.constructor?.name;
    return typeof name === "string" && name !== "" ? `a ${name}` : "an object";
  };

  /** What a program prints of a value. Never throws. */
  const shown = (value: unknown): string => {
    try {
      if (typeof value === "string") return value;
      if (typeof value === "object") return jsonOf(value, "value", 0);
      return String(value);
    } catch {
      return `[${typeof value}]`;
    }
  };

  /**
   * What a program threw, whatever that is. Made of texts alone: a program may
   * have added `toJSON` to all objects.
   */
  const thrown = (error: unknown): string => {
    let kind = "Error";
    let told: string | undefined;
    try {
      const { name, message } = error as { name: unknown; message: unknown };
      if (typeof message === "string") told = message;
      if (typeof name === "string") kind = name;
    } catch {
      // It is no object, or its members throw.
    }
    return `{"thrown":${stringify(`${kind}: ${told ?? shown(error)}`)}}`;
  };

  const callTool = async (
    server: string,
    tool: string,
    values: readonly unknown[],
  ): Promise<unknown> => {
    if (values.length > 1)
      throw new TypeError(`${server}.${tool} takes one object of arguments`);
    const place = `${server}.${tool}: the argument`;
    const text = jsonOf(values[0] ?? {}, place, 0);
    const answer = parse(
      await call(`[${stringify(server)},${stringify(tool)},${text}]`),
    ) as { readonly value?: unknown; readonly error?: string };
    if (answer.error === undefined) return answer.value;
    throw new Error(answer.error);
  };

  for (const [server, tools] of entries(servers)) {
    const methods = tools.map((tool) => {
      const method = (...values: unknown[]): Promise<unknown> =>
        callTool(server, tool, values);
      return [tool, method];
    });
    const value: unknown = freeze(Object.fromEntries(methods));
    Object.defineProperty(globalThis, server, { value });
  }
  const log = (...values: unknown[]): void => {
    let text = "";
    for (let i = 0; i < values.length; i++)
      text += `${i ? " " : ""}${shown(values[i])}`;
    print(`${text}\n`);
  };
  const all = {
    debug: log,
    error: log,
    info: log,
    log,
    warn: log,
  };
  Object.defineProperty(globalThis, "console", { value: freeze(all) });
  // Nothing of the program is compiled later, when nobody checks it.
  for (const sample of [
    function () {},
    async function () {},
    function* () {},
    async function* () {},
  ])
    Object.defineProperty(getPrototypeOf(sample), "constructor", {
      value: undefined,
    });
  // What one engine has and another has not is no promise.
  for (const name of ["eval", "Function", "performance", "queueMicrotask"])
    Object.defineProperty(globalThis, name, { value: undefined });

  return async (program) => {
    try {
      const value = await program();
      const text =
        value === undefined ? "" : `"value":${jsonOf(value, "value", 0)}`;
      done(`{${text}}`);
    } catch (error) {
      done(thrown(error));
    }
  };
}

/** The prelude as an engine evaluates it. */
export const preludeOf = (
  servers: Readonly<Record<string, readonly string[]>>,
): string =>
  `((...host) => (${String(prelude)})(${JSON.stringify(servers)}, ...host))`;
