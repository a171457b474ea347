import type { Scope } from "../../diagnostics.js";
import type { Index } from "../lookup.js";
import type { Protocol } from "../model.js";
import { eachType, typesOf } from "../walk.js";

/** Checks that every name in use names a declaration of the right kind. */
export function checkClosed(protocol: Protocol, declarations: Index, scope: Scope): void {
  const checkName = (name: string, inside: Scope, as: string): void => {
    const kind = declarations.get(name)?.kind;
    if (kind === "interface" || kind === "alias") return;
    const problem = kind === undefined ? "which is not declared" : "which is a constant, not a type";
    const message = `${as} names "${name}", ${problem}`;
    inside.error("MG502", null, message, "declare the type, or correct the name");
  };
  for (const declaration of protocol.declarations) {
    const inside = scope.in(`${declaration.kind} ${declaration.name}`);
    if (declaration.kind === "interface") {
      for (const base of declaration.bases) checkName(base.name, inside, "a base");
    }
    for (const type of typesOf(declaration)) {
      eachType(type, (inner) => {
        if (inner.kind === "reference") checkName(inner.name, inside, "a reference");
        if (inner.kind === "literal" && inner.constant !== null) {
          const constant = declarations.get(inner.constant);
          if (constant?.kind !== "constant" || constant.value !== inner.value) {
            inside.error(
              "MG502",
              null,
              `a literal is written as the constant "${inner.constant}", but no constant of that name has the value ${JSON.stringify(inner.value)}`,
              "correct the name or the value",
            );
          }
        }
      });
    }
  }
  for (const message of protocol.messages) {
    const inside = scope.in(`message ${message.method}`);
    checkName(message.name, inside, "the message");
    if (message.params.declaredBy !== null)
      checkName(message.params.declaredBy, inside, "the owner of the params");
    if (message.params.type !== null) {
      eachType(message.params.type, (inner) => {
        if (inner.kind === "reference") checkName(inner.name, inside, "a reference in the params");
      });
    }
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
