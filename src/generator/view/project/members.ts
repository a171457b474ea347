import type { TemplatePart } from "../../ir/snapshot/model.js";
import { variablesIn } from "../../ir/snapshot/template.js";
import {
  type Code,
  code,
  fromLayout,
  generic,
  literal,
  unionCode,
} from "../typescript/code.js";
import {
  group,
  hardline,
  indent,
  join,
  line,
  ifBreak,
} from "../typescript/layout.js";

/** A member of an interface, with its comment. */
export interface Member {
  readonly doc: Code | null;
  readonly text: Code;
}

/** The body of an interface: `{ … }` with one member per line. */
export function membersCode(members: readonly Member[]): Code {
  if (members.length === 0) return code`{}`;
  const lines = members.flatMap(({ doc, text }) => [
    ...(doc === null ? [] : [hardline, doc.layout]),
    hardline,
    text.layout,
    ";",
  ]);
  return fromLayout(["{", indent(lines), hardline, "}"]);
}

/** `{ a, b, c: … }` */
export function shorthand(members: readonly Code[]): Code {
  if (members.length === 0) return fromLayout("{}");
  const list = join(
    [",", line],
    members.map((member) => member.layout),
  );
  return fromLayout(
    group(["{", indent([line, list, ifBreak(",")]), line, "}"]),
  );
}

/** The variables that a server can match in a URI, as strings. */
export function matchedVariables(parts: readonly TemplatePart[]): Code {
  const names = variablesIn(parts);
  const nameUnion = unionCode(names.map(literal));
  const record = generic(code`Record`, [
    names.length === 0 ? code`never` : nameUnion,
    code`string`,
  ]);
  return code`variables: ${generic(code`Partial`, [record])}`;
}
