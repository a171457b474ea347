import { expect, it } from "vitest";
import { choose } from "../../src/commands/update/revisions.js";
import { SchemaError } from "../../src/generator/diagnostics.js";

const all = ["2024-11-05", "2025-03-26", "2025-11-25-RC", "draft", "own"];
type Selection = Parameters<typeof choose>[0];

/** The names that are chosen, or the error. */
function chosen(
  selection: Selection,
  names: readonly string[] = all,
  pinned: readonly string[] = [],
): readonly string[] {
  const schemas = new Map(names.map((name) => [name, () => Promise.reject()]));
  const pins = new Map(pinned.map((name) => [name, null]));
  try {
    return [
      ...choose(selection, schemas as never, "https://a.test", pins).keys(),
    ];
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    return error.diagnostics.map(
      ({ code, message, hint }) => `${code} ${message}; ${hint}`,
    );
  }
}

const missing = (name: string, hint: string): readonly string[] => [
  `MG752 https://a.test has no revision "${name}"; ${hint}`,
];
it.each<
  [
    selection: Selection,
    names: readonly string[],
    pinned: readonly string[],
    chosen: readonly string[],
  ]
>([
  ["all", all, [], all],
  ["default", all, [], ["2024-11-05", "2025-03-26"]],
  ["default", all, ["own"], ["2024-11-05", "2025-03-26", "own"]],
  [["latest"], all, [], ["2025-03-26"]],
  [["own", "2024-11-05"], all, [], ["2024-11-05", "own"]],
  [["latest"], ["draft", "own"], [], missing("latest", "it has draft, own")],
  [["2024-11-06"], all, [], missing("2024-11-06", "did you mean 2024-11-05?")],
  [["lates"], all, [], missing("lates", "did you mean latest?")],
  [["none", "draft"], all, [], missing("none", `it has ${all.join(", ")}`)],
  [
    "all",
    [],
    [],
    [
      "MG752 https://a.test has no schemas; schemas are expected in schema/<revision>/schema.ts",
    ],
  ],
])(
  "of a source, %j of %j with %j pinned are %j",
  (selection, names, pinned, expected) => {
    expect(chosen(selection, names, pinned)).toEqual(expected);
  },
);
