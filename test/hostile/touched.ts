import { createContext, runInContext } from "node:vm";
import { bundle } from "../view/generated.js";

/**
 * Loads files into an empty context, and returns how they changed its globals.
 */
export async function touched(
  files: ReadonlyMap<string, string>,
): Promise<string[]> {
  const context = createContext(Object.create(null));
  const look = (): string[] => runInContext(looking, context) as string[];
  const before = look();
  // A script puts its exports into a variable, which would be a change.
  const script = await bundle(files, "index.ts", "iife");
  runInContext(
    `{ ${script.replace(/^var loaded =/m, "const loaded =")} }`,
    context,
  );
  const after = look();
  return [
    ...after.filter((entry) => !before.includes(entry)),
    ...before
      .filter((entry) => !after.includes(entry))
      .map((entry) => `gone: ${entry}`),
  ];
}

/**
 * Lists the members of the global object, two levels deep, with their types.
 */
const looking = `
  (() => {
    const rows = [];
    const list = (at, object) => {
      for (const key of Reflect.ownKeys(object)) {
        const { value, get, set } = Object.getOwnPropertyDescriptor(object, key);
        rows.push([at, String(key), typeof value, value?.name, typeof get, typeof set].join(" "));
      }
    };
    list("global", globalThis);
    for (const name of Object.getOwnPropertyNames(globalThis)) {
      const value = globalThis[name];
      if (typeof value !== "function" && (typeof value !== "object" || value === null)) continue;
      list(name, value);
      if (typeof value.prototype === "object" && value.prototype !== null) list(name + ".prototype", value.prototype);
    }
    return rows;
  })()
`;
