import type { Scope } from "../../diagnostics.js";
import type { Index } from "../lookup.js";
import type { Protocol } from "../model.js";
import { ofKind } from "../constraint.js";
import { constantIn, constantNote, noteIn } from "../constraint/form.js";
import { eachSchema, referencesIn } from "../constraint/walk.js";

/** Checks that every name in use names a declaration of the right kind. */
export function checkClosed(protocol: Protocol, declarations: Index, scope: Scope): void {
  const checkName = (name: string, inside: Scope, as: string): void => {
    const kind = declarations.get(name)?.kind;
    if (kind === "interface" || kind === "alias") return;
    const problem = kind === undefined ? "which is not declared" : "which is a constant, not a type";
    const message = `${as} names "${name}", ${problem}`;
    inside.error("MG502", null, message, "declare the type, or correct the name");
  };
  for (const { kind, name, bases, schema } of protocol.declarations) {
    const inside = scope.in(`${kind} ${name}`);
    for (const base of bases) checkName(base.name, inside, "a base");
    eachSchema(schema, (part) => {
      for (const { key } of ofKind(part.checks, "reference")) checkName(key, inside, "a reference");
      const name = noteIn(part, constantNote);
      const constant = name === null ? undefined : declarations.get(name);
      if (
        name === null ||
        (constant?.kind === "constant" && constantIn(constant.schema) === constantIn(part))
      )
        return;
      const value = JSON.stringify(constantIn(part));
      inside.error(
        "MG502",
        null,
        `a value is written as the constant "${name}", but no constant of that name has the value ${value}`,
        "correct the name or the value",
      );
    });
  }
  for (const message of protocol.messages) {
    const inside = scope.in(`message ${message.method}`);
    checkName(message.name, inside, "the message");
    if (message.params.declaredBy !== null)
      checkName(message.params.declaredBy, inside, "the owner of the params");
    if (message.params.schema !== null)
      for (const key of referencesIn(message.params.schema))
        checkName(key, inside, "a reference in the params");
    if (message.kind === "request")
      for (const result of message.results) checkName(result, inside, "a result");
  }
  const methods = new Set(protocol.messages.map(({ method }) => method));
  for (const [role, method] of Object.entries(protocol.wellKnown)) {
    if (!methods.has(method))
      scope.error(
        "MG502",
        null,
        `the well-known method "${role}" names the method "${method}", which no message has`,
        "declare the message, or correct the method",
      );
  }
}
