import { type Code, Diagnostics } from "../../generator/diagnostics.js";
import {
  accepts,
  type Definitions,
  validationOf,
} from "../../generator/ir/constraint/accepts.js";
import type { Definition, Schema } from "../../generator/ir/constraint.js";
import type { Json, JsonRecord } from "../../generator/ir/json.js";
import { isList } from "../../generator/ir/json/value.js";
import { parseJson } from "../../generator/read/json/text/parse.js";
import {
  type JsonNode,
  locationsIn,
} from "../../generator/read/json/text/tree.js";
import { readDefinitions } from "../../generator/read/snapshot/definitions.js";
import type { Provider } from "./providers.js";
import { namesIn } from "./walk.js";
import rows from "./rules.json" with { type: "json" };

/**
 * A row of rules.json: what some providers refuse in one level of a schema, or
 * in a tool, by public reports of their messages.
 */
interface Row {
  readonly id: string;
  /** The ids of providers. */
  readonly for: readonly string[];
  readonly code: Code;
  /** True for a rule of the whole schema only. */
  readonly top?: boolean;
  /** Absent for a rule of schemas. */
  readonly of?: "tool";
  // What is accepted is one of these three.
  /** By keyword, what its value must be; false for a keyword that is refused. */
  readonly values?: Readonly<Record<string, Json>>;
  /** What the level must be. */
  readonly schema?: Json;
  /** The name of a function below, for what a schema cannot say. */
  readonly predicate?: keyof typeof predicates;
  /** Keywords to add where the level is refused. */
  readonly repair?: JsonRecord;
  /** `{keyword}` stands for the keyword of `values`. */
  readonly message: string;
  readonly hint?: string;
  /** The reports, the date of the newest one, and the interface that refused. */
  readonly source: readonly string[];
  readonly date: string;
  readonly api: string;
}

/** A rule of one provider. */
export interface Rule extends Pick<Row, "id" | "code" | "message"> {
  readonly isTop: boolean;
  /** The keyword whose value is refused; null if the level as a whole is. */
  readonly keyword: string | null;
  /** True if the provider takes no value of the keyword. */
  readonly isWhole: boolean;
  readonly repair: JsonRecord | null;
  readonly hint: string;
  refuses(schema: JsonRecord): boolean;
}

const predicates = {
  /** `required` names only members that `properties` has. */
  requiredMembers: (schema: JsonRecord): boolean => {
    const names = new Set<Json>(namesIn(schema));
    const { required } = schema;
    return !isList(required) || required.every((name) => names.has(name));
  },
};

/** All rows, for tests and pages. */
export const ruleRows = rows as unknown as readonly Row[];

const allRules = ruleRows.flatMap((row) =>
  rulesIn(row).map((rule) => ({ rule, providers: row.for, of: row.of })),
);

const known = new Map<string, readonly Rule[]>();

/** The rules of a provider for the whole schema, or for a schema in it. */
export function rulesOf({ id }: Provider, isTop: boolean): readonly Rule[] {
  const key = `${id} ${isTop}`;
  const rules =
    known.get(key) ??
    allRules.flatMap(({ rule, providers, of }) =>
      of === undefined && providers.includes(id) && (isTop || !rule.isTop)
        ? [rule]
        : [],
    );
  known.set(key, rules);
  return rules;
}

/** The rules of a provider for a tool as a whole. */
export const toolRulesOf = ({ id }: Provider): readonly Rule[] =>
  allRules.flatMap(({ rule, providers, of }) =>
    of === "tool" && providers.includes(id) ? [rule] : [],
  );

/** The keywords of which a provider takes no value. */
export const refusedKeywords = (
  provider: Provider,
  isTop: boolean,
): readonly string[] =>
  rulesOf(provider, isTop).flatMap(({ keyword, isWhole }) =>
    isWhole && keyword !== null ? [keyword] : [],
  );

function rulesIn(row: Row): Rule[] {
  const { id, code, values, schema, predicate } = row;
  const base = { id, code, isTop: row.top === true };
  if (values === undefined) {
    const isFine =
      predicate === undefined
        ? testerOf(schema as Json)
        : predicates[predicate];
    return [
      {
        ...base,
        keyword: null,
        isWhole: false,
        repair: row.repair ?? null,
        message: row.message,
        hint: row.hint ?? "",
        refuses: (level) => !isFine(level),
      },
    ];
  }
  return Object.entries(values).map(([keyword, value]) => {
    const isFine = testerOf(value);
    return {
      ...base,
      keyword,
      isWhole: value === false,
      repair: null,
      message: row.message.replace("{keyword}", keyword),
      hint: row.hint?.replace("{keyword}", keyword) ?? adviceFor(keyword),
      refuses: (level) =>
        Object.hasOwn(level, keyword) && !isFine(level[keyword] ?? null),
    };
  });
}

function adviceFor(keyword: string): string {
  if (keyword.endsWith("Of"))
    return "write one object with optional members, and say in the description which belong together";
  return "leave it out, and check the value in the tool";
}

const noDefinitions: Definitions = new Map();

/** A function that tests values with a schema, which it reads once. */
function testerOf(json: Json): (value: Json) => boolean {
  let read: Schema | undefined;
  return (value) => {
    read ??= schemaOf(json);
    return accepts(validationOf(noDefinitions, Infinity), read, value);
  };
}

/** A schema of rules.json, of which a test finds no fault. */
function schemaOf(json: Json): Schema {
  const { root } = new Diagnostics();
  const text = JSON.stringify(json);
  const locations = locationsIn(text, "");
  const node = parseJson(text, locations, root) as JsonNode;
  const [definition] = readDefinitions("", node, locations, root);
  return (definition as Definition).schema;
}
