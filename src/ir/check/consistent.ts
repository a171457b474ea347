import type { Scope } from "../../diagnostics.js";
import type { Schema } from "../constraint.js";
import { eachSchema, maxSchemaDepth } from "../constraint/walk.js";
import type { Message, Protocol } from "../model.js";

/** Checks that no name is declared twice, that no schema is nested too deep, and that messages agree with themselves. */
export function checkConsistent(protocol: Protocol, scope: Scope): void {
  unique(protocol.declarations, "the declaration", ({ name }) => name, scope);
  unique(protocol.messages, "the method", ({ method }) => method, scope);
  for (const { kind, name, schema } of protocol.declarations) checkDepth(schema, scope.in(`${kind} ${name}`));
  for (const message of protocol.messages) checkMessage(message, scope.in(`message ${message.method}`));
}

function checkMessage({ params, ...message }: Message, inside: Scope): void {
  if ((params.presence === "none") !== (params.schema === null)) {
    inside.error(
      "MG507",
      null,
      `the presence of the params is "${params.presence}", but they have ${params.schema === null ? "no" : "a"} type`,
      "correct the presence or the type",
    );
  }
  if (params.schema !== null) checkDepth(params.schema, inside);
  if (message.kind === "notification") return;
  unique(message.results, "the result", (name) => name, inside);
  if (message.carriage === "embedded" && message.cancellable) {
    const message = "the request is embedded in a result, but is marked as cancellable";
    inside.error("MG507", null, message, "set `cancellable` to false");
  }
}

function checkDepth(schema: Schema, inside: Scope): void {
  let isReported = false;
  eachSchema(schema, (_, depth) => {
    if (depth <= maxSchemaDepth || isReported) return;
    isReported = true;
    inside.error("MG504", null, `a type is nested more than ${maxSchemaDepth} levels deep`);
  });
}

function unique<T>(entries: readonly T[], what: string, nameOf: (entry: T) => string, inside: Scope): void {
  const names = new Set<string>();
  for (const entry of entries) {
    const name = nameOf(entry);
    if (names.has(name))
      inside.error("MG501", null, `${what} "${name}" is declared twice`, "remove or rename one of them");
    names.add(name);
  }
}
