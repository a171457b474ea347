import type { Schema } from "../../src/generator/ir/constraint.js";
import { ofKind } from "../../src/generator/ir/constraint.js";
import {
  constantIn,
  constantNote,
  noteIn,
} from "../../src/generator/ir/constraint/form.js";
import {
  eachSchema,
  referencesIn,
} from "../../src/generator/ir/constraint/walk.js";
import { index } from "../../src/generator/ir/lookup.js";
import type { Message, Protocol } from "../../src/generator/ir/model.js";

/**
 * What contradicts the invariants of `model.ts`. Every reader keeps them, so
 * that nothing behind it checks them.
 */
export function brokenInvariants(protocol: Protocol): string[] {
  return [
    ...notPlain(protocol),
    ...notClosed(protocol),
    ...notConsistent(protocol),
  ];
}

/** The protocol itself, after its invariants are checked. */
export function sound(protocol: Protocol): Protocol {
  const broken = brokenInvariants(protocol);
  if (broken.length > 0) throw new Error(broken.join("\n"));
  return protocol;
}

/** The paths of values that JSON cannot hold. */
function* notPlain(value: unknown, path = "protocol"): Generator<string> {
  const isScalar =
    value === null || ["string", "boolean"].includes(typeof value);
  if (isScalar || (Number.isFinite(value) && !Object.is(value, -0))) return;
  const prototype: unknown =
    typeof value === "object" && value !== null && Object.getPrototypeOf(value);
  if (Array.isArray(value))
    for (const [place, item] of value.entries())
      yield* notPlain(item, `${path}[${place}]`);
  else if (prototype === Object.prototype)
    for (const [name, item] of Object.entries(value as object))
      yield* notPlain(item, `${path}.${name}`);
  else yield `${path} is not JSON`;
}

/** The uses of a name that no declaration of the right kind has. */
function* notClosed(protocol: Protocol): Generator<string> {
  const declarations = index(protocol);
  const isType = (name: string): boolean =>
    (declarations.get(name)?.kind ?? "constant") !== "constant";
  const unknown = (names: readonly string[], where: string): string[] =>
    names
      .filter((name) => !isType(name))
      .map((name) => `${where} names ${name}, which is not a type`);
  for (const { name, bases, schema } of protocol.declarations) {
    yield* unknown(
      bases.map((base) => base.name),
      name,
    );
    for (const problem of unusable(schema)) yield `${name} ${problem}`;
  }
  for (const message of protocol.messages) {
    const { declaredBy, schema } = message.params;
    const names = [message.name, ...(declaredBy === null ? [] : [declaredBy])];
    const results = message.kind === "request" ? message.results : [];
    yield* unknown(
      [...names, ...results, ...(schema === null ? [] : referencesIn(schema))],
      message.method,
    );
  }
  for (const [role, method] of Object.entries(protocol.wellKnown))
    if (protocol.messages.every((message) => message.method !== method))
      yield `${role} has no message ${method}`;

  function unusable(schema: Schema): string[] {
    const problems: string[] = [];
    eachSchema(schema, (part) => {
      for (const { key } of ofKind(part.checks, "reference"))
        if (!isType(key)) problems.push(`names ${key}, which is not a type`);
      const name = noteIn(part, constantNote);
      const constant = name === null ? undefined : declarations.get(name);
      const isRight =
        constant?.kind === "constant" &&
        constantIn(constant.schema) === constantIn(part);
      if (name !== null && !isRight)
        problems.push(
          `has a value ${constantIn(part)} as the constant ${name}`,
        );
    });
    return problems;
  }
}

/** Names that are declared twice, and messages that contradict themselves. */
function* notConsistent({
  declarations,
  messages,
}: Protocol): Generator<string> {
  yield* twice(declarations.map(({ name }) => name));
  yield* twice(messages.map(({ method }) => method));
  for (const message of messages) {
    const { params, method } = message;
    if ((params.presence === "none") !== (params.schema === null))
      yield `${method} has params of presence "${params.presence}" and ${params.schema === null ? "no" : "a"} schema`;
    if (message.kind === "request") yield* twice(message.results);
    if (isEmbedded(message) && message.cancellable)
      yield `${method} is embedded and cancellable`;
  }
}

function isEmbedded(
  message: Message,
): message is Extract<Message, { kind: "request" }> {
  return message.kind === "request" && message.carriage === "embedded";
}

function twice(names: readonly string[]): string[] {
  return names
    .filter((name, at) => names.indexOf(name) < at)
    .map((name) => `${name} is declared twice`);
}
