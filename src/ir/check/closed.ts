import type { Scope } from "../../diagnostics.js";
import type { Index } from "../lookup.js";
import type { Protocol } from "../model.js";
import { eachType, typesOf } from "../walk.js";

/** Every name that is used names a declaration, and one of the right kind. */
export function checkClosed(protocol: Protocol, declarations: Index, scope: Scope): void {
  const type = (name: string, inside: Scope, as: string): void => {
    const kind = declarations.get(name)?.kind;
    if (kind === "interface" || kind === "alias") return;
    const fault = kind === undefined ? "which is not declared" : "which is a constant, not a type";
    inside.error("MG502", null, `${as} names "${name}", ${fault}`);
  };
  for (const declaration of protocol.declarations) {
    const inside = scope.in(`${declaration.kind} ${declaration.name}`);
    if (declaration.kind === "interface") {
      for (const base of declaration.bases) type(base.name, inside, "a base");
    }
    for (const used of typesOf(declaration)) {
      eachType(used, (found) => {
        if (found.kind === "reference") type(found.name, inside, "a reference");
        if (found.kind === "literal" && found.constant !== null) {
          const constant = declarations.get(found.constant);
          if (constant?.kind !== "constant" || constant.value !== found.value) {
            inside.error(
              "MG502",
              null,
              `a literal is written as the constant "${found.constant}", which is no constant with the value ${JSON.stringify(found.value)}`,
            );
          }
        }
      });
    }
  }
  for (const message of protocol.messages) {
    const inside = scope.in(`message ${message.method}`);
    type(message.name, inside, "the message");
    if (message.params.declaredBy !== null)
      type(message.params.declaredBy, inside, "the owner of the params");
    if (message.params.type !== null) {
      eachType(message.params.type, (found) => {
        if (found.kind === "reference") type(found.name, inside, "a reference in the params");
      });
    }
    if (message.kind === "request") for (const result of message.results) type(result, inside, "a result");
  }
  const methods = new Set(protocol.messages.map(({ method }) => method));
  for (const [job, method] of Object.entries(protocol.jobs)) {
    if (!methods.has(method))
      scope.error("MG502", null, `the job "${job}" names the method "${method}", which no message has`);
  }
}
