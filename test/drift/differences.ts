import { Diagnostics } from "../../src/diagnostics.js";
import type { Definition } from "../../src/ir/constraint.js";
import type { Delta } from "../../src/ir/change/model.js";
import type { Side } from "../../src/ir/model.js";
import {
  compareSchemas,
  originals,
} from "../../src/ir/snapshot/diff/schema.js";
import type { Json } from "../../src/ir/snapshot/model.js";
import { parseJson } from "../../src/read/json/text/parse.js";
import { readDefinitions } from "../../src/read/snapshot/definitions.js";
import { locationsIn } from "../../src/read/json/text/tree.js";

/** The differences between two schemas of a tool, read as in a snapshot. */
export function differences(
  before: Json,
  after: Json,
  sender: Side,
): readonly Delta[] {
  const sets = originals(definitionsOf(before), definitionsOf(after));
  return compareSchemas(
    sets,
    { key: "tool", raw: before },
    { key: "tool", raw: after },
    sender,
    "words",
  );
}

function definitionsOf(schema: Json): readonly Definition[] {
  const text = JSON.stringify(schema);
  const locations = locationsIn(text, "schema.json");
  const { root } = new Diagnostics();
  const node = parseJson(text, locations, root, {
    depth: Infinity,
    nodes: Infinity,
  });
  if (node === null) throw new Error("The schema cannot be parsed.");
  return readDefinitions("tool", node, locations, root);
}
