import type { Scope } from "../../diagnostics.js";

/** Checks that a value holds only what JSON can hold: no `undefined`, function, class instance or circular reference. */
export function checkPlain(value: unknown, scope: Scope): void {
  const open: [unknown, string, number][] = [[value, "the protocol", 0]];
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    const [current, path, depth] = entry;
    const problem = depth > 1000 ? "a circular reference or more than 1000 levels" : problemOf(current);
    if (problem !== null) scope.error("MG506", null, `${path} holds ${problem}, which JSON cannot hold`);
    else if (Array.isArray(current)) {
      current.forEach((item, index) => open.push([item, `${path}[${index}]`, depth + 1]));
    } else if (typeof current === "object" && current !== null) {
      for (const [name, inner] of Object.entries(current)) open.push([inner, `${path}.${name}`, depth + 1]);
    }
  }
}

function problemOf(value: unknown): string | null {
  switch (typeof value) {
    case "string":
    case "boolean":
      return null;
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0)
        ? null
        : `the number ${Object.is(value, -0) ? "-0" : value}`;
    case "object": {
      if (value === null || Array.isArray(value)) return null;
      const prototype: unknown = Object.getPrototypeOf(value);
      return prototype === Object.prototype || prototype === null ? null : "a class instance";
    }
    default:
      return `a value of type ${typeof value}`;
  }
}
