import type { ts } from "ts-morph";
import type { Change } from "../changes.js";
import type { CauseContext } from "../cause.js";
import { quote } from "../quote.js";
import { type BehaviourChange, behaviourChange } from "./behaviour-change.js";
import { constantOf, useOf } from "./use.js";

/** The change for a name of a type, a member or a method of the protocol; null if its meaning stays the same. */
export function memberChange(
  { compiler }: CauseContext,
  checker: ts.TypeChecker,
  node: ts.Node,
  cause: Change,
): BehaviourChange | null {
  const { change, subject, is } = cause.difference;
  const use = useOf(compiler, node);
  switch (change) {
    case "bound-tightened":
    case "type-narrowed": {
      // The compiler checks every other narrower type.
      const limit = is === null ? null : limitIn(is);
      if (limit === null || use.kind !== "write") return null;
      const value = constantOf(compiler, checker, use.value);
      if (value === undefined)
        return behaviourChange(node, cause, false, { advice: `keep the value ${limit.words}` });
      if (typeof value !== "number" || limit.allows(value)) return null;
      const words = `${cause.sentence}; the validator now rejects ${quote(String(value))}`;
      return behaviourChange(node, cause, true, {
        change: words,
        advice: `write a value that is ${limit.words}`,
      });
    }
    case "bound-loosened":
      return use.kind === "read" ? behaviourChange(node, cause, false) : null;
    case "format-changed":
      return use.kind === "write" ? behaviourChange(node, cause, false) : null;
    case "required-member-removed":
      return cause.isOpen ? null : behaviourChange(node, cause, true);
    case "optional-member-removed":
      if (cause.isOpen) return null;
      return behaviourChange(node, cause, cause.rename !== null);
    case "tag-added":
      return is?.startsWith("@deprecated") === true ? behaviourChange(node, cause, false) : null;
    case "carriage-changed": {
      // The change concerns the handler that sends the request, and not the one that handles it.
      if (!compiler.isCallExpression(node.parent)) return null;
      const words =
        is === "embedded"
          ? "the handler that sends the request runs again when the result arrives"
          : "the handler that sends the request waits for the result and runs once";
      return behaviourChange(node, cause, false, { change: `${cause.sentence}; ${words}` });
    }
    case "capability-condition-added": {
      const value = use.kind === "write" ? constantOf(compiler, checker, use.value) : undefined;
      const isOther =
        value !== undefined && is?.includes(" for ") === true && !is.includes(JSON.stringify(value));
      return isOther || use.kind === "read" ? null : behaviourChange(node, cause, false);
    }
    case "method-renamed":
    case "request-removed":
    case "notification-removed":
    case "sender-removed":
    case "capability-required":
      // The name of a member that the compiler still accepts, such as a handler in a table of strings.
      return subject.kind === "message" ? behaviourChange(node, cause, false) : null;
    default:
      return null;
  }
}

interface Limit {
  readonly words: string;
  readonly allows: (value: number) => boolean;
}

/** The limit in the text of a change: a bound, such as `minimum 1`, or a type, such as `integer >= 1`; null for other texts. */
function limitIn(text: string): Limit | null {
  const bound = /^(minimum|maximum) (-?[\d.e+-]+)$/.exec(text);
  const type = /^(integer|number)((?: [<>]= -?[\d.e+-]+)*)$/.exec(text);
  if (bound === null && type === null) return null;
  const [, keyword = "", limit = ""] = bound ?? [];
  const [, kind = "number", bounds = ""] = type ?? [];
  const minimum = keyword === "minimum" ? Number(limit) : (boundIn(bounds, ">=") ?? -Infinity);
  const maximum = keyword === "maximum" ? Number(limit) : (boundIn(bounds, "<=") ?? Infinity);
  return {
    words: type === null ? `${keyword === "minimum" ? "at least" : "at most"} ${limit}` : quote(text),
    allows: (value) =>
      value >= minimum && value <= maximum && (kind !== "integer" || Number.isInteger(value)),
  };
}

function boundIn(bounds: string, sign: string): number | undefined {
  const text = new RegExp(`${sign} (\\S+)`).exec(bounds)?.[1];
  return text === undefined ? undefined : Number(text);
}
