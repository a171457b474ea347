import { createHash } from "node:crypto";
import { declarationWithoutProse } from "../../src/generator/ir/copies.js";
import type { Declaration } from "../../src/generator/ir/model.js";

/**
 * The name of each declaration and the first hex digits of the hash of its
 * contents without prose.
 */
export type Digests = readonly (readonly [name: string, digest: string])[];

export function digestsOf(declarations: readonly Declaration[]): Digests {
  return declarations.map(declarationWithoutProse).map((declaration) => {
    const hash = createHash("sha256")
      .update(JSON.stringify(declaration))
      .digest("hex");
    return [declaration.name, hash.slice(0, 16)];
  });
}
