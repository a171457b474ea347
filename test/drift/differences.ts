import { Diagnostics } from "../../src/generator/diagnostics.js";
import type { Definition } from "../../src/generator/ir/constraint.js";
import type { Delta } from "../../src/generator/ir/change/model.js";
import type { Side } from "../../src/generator/ir/model.js";
import {
  compareSchemas,
  originals,
} from "../../src/generator/ir/snapshot/diff/schema.js";
import type { Json } from "../../src/generator/ir/snapshot/model.js";
import { parseJson } from "../../src/generator/read/json/text/parse.js";
import { readDefinitions } from "../../src/generator/read/snapshot/definitions.js";
import { locationsIn } from "../../src/generator/read/json/text/tree.js";

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
