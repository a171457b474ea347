import { McpError } from "@mcpgen/runtime";
import type { Schema } from "../../../../src/generator/ir/constraint.js";
import { reference } from "../../../../src/generator/ir/constraint/form.js";
import { type Index, index } from "../../../../src/generator/ir/lookup.js";
import type {
  Protocol,
  RequestMessage,
} from "../../../../src/generator/ir/model.js";
import { anyValue, arbitraryOf } from "../../../vectors/arbitrary.js";
import { mutant, wordsOf } from "../../../vectors/mutate.js";
import { placesOf, replaceAt } from "../../../vectors/places.js";
import type { Random } from "../../../vectors/random.js";
import type { Json } from "../../kit/index.js";

/**
 * Makes random values of authors: valid, almost valid, of another revision, or
 * anything.
 */
export interface Chance {
  readonly random: Random;
  /** Params that the revision allows. */
  params(method: string): Json | undefined;
  /** A result that the revision allows. */
  result(method: string): Json;
  /** Params of an author, valid or not. */
  wildParams(method: string): Json | undefined;
  /** A result of an author, valid or not. */
  wildResult(method: string): unknown;
  /** The same as JSON, as a peer sends them. */
  foreignParams(method: string): Json | undefined;
  foreignResult(method: string): unknown;
  /** What a handler may throw. */
  thrown(): unknown;
}

/** Makes values for one revision; `all` are the revisions of foreign values. */
export function chanceOf(
  protocol: Protocol,
  all: readonly Protocol[],
  random: Random,
): Chance {
  const words = (allWords ??= wordsOf(all));
  const make = (of: Protocol, schema: Schema): unknown =>
    arbitraryOf(indexOf(of), schema, random);
  const paramsIn = (of: Protocol, method: string): unknown => {
    const match = of.messages.find((one) => one.method === method);
    const schema = match?.params.schema;
    if (!schema || (match.params.presence === "optional" && random.chance(0.3)))
      return undefined;
    return make(of, schema);
  };
  const resultIn = (of: Protocol, method: string): unknown => {
    const match = of.messages.find((one) => one.method === method) as
      RequestMessage | undefined;
    const names = match?.results ?? [];
    const name =
      names.length === 0 || random.chance(0.9) ? names[0] : random.pick(names);
    return name === undefined ? undefined : make(of, reference(name));
  };
  const wild = (from: (of: Protocol) => unknown): unknown =>
    random.chance(0.05) ? withStrange(from(protocol), random) : foreign(from);
  const foreign = (from: (of: Protocol) => unknown): unknown => {
    const way = random.next();
    if (way < 0.3) return from(protocol);
    if (way < 0.65) return mutant(from(protocol), random, words);
    if (way < 0.9) return from(random.pick(all));
    if (way < 0.95) return mutant(from(random.pick(all)), random, words);
    return anyValue(random);
  };
  return {
    random,
    params: (method) => paramsIn(protocol, method) as Json | undefined,
    result: (method) => resultIn(protocol, method) as Json,
    wildParams: (method) =>
      wild((of) => paramsIn(of, method)) as Json | undefined,
    wildResult: (method) => wild((of) => resultIn(of, method)),
    foreignParams: (method) =>
      foreign((of) => paramsIn(of, method)) as Json | undefined,
    foreignResult: (method) => foreign((of) => resultIn(of, method)),
    thrown: () => {
      if (random.chance(0.2))
        return random.pick([new Error("A bug."), "text", undefined, null, 5]);
      const code = random.pick([
        ...codes,
        Math.round(random.next() * -40_000),
        random.below(5000),
      ]);
      const message = random.pick([
        "It failed.",
        "",
        ...(random.chance(0.05) ? [5, null] : []),
      ]) as string;
      const odd = random.chance(0.05)
        ? random.pick([1.5, NaN, "x" as never, undefined as never])
        : code;
      return new McpError(
        odd,
        message,
        random.chance(0.5) ? undefined : data(random),
      );
    },
  };
}

/** Codes that some revision defines, and neighbouring ones. */
const codes = [
  -32700, -32600, -32601, -32602, -32603, -32000, -32001, -32002, -32003,
  -32020, -32021, -32022, -32042, -32099, -32768, 0, -1,
];

const data = (random: Random): unknown =>
  random.pick([
    anyValue(random),
    strange(random),
    { requiredCapabilities: { roots: {} } },
    { requiredCapabilities: 5 },
    { supported: ["2025-11-25"], requested: "x" },
    {
      elicitations: [
        {
          mode: "url",
          elicitationId: "1",
          url: "https://example.com",
          message: "?",
        },
      ],
    },
    { elicitations: [{}] },
  ]);

/** A value that JSON cannot represent, or changes. */
function strange(random: Random): unknown {
  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  const base = random.pick([{}, [], "text", undefined]);
  return random.pick([
    1n,
    circle,
    NaN,
    new Map(),
    (): number => 1,
    Symbol("s"),
    [undefined],
    new Date(0),
    { toJSON: () => base },
  ]);
}

function withStrange(value: unknown, random: Random): unknown {
  // A function called `then` makes a promise that never settles, and so a
  // handler that never ends.
  const steps = random.pick(
    placesOf(value).filter((one) => one.at(-1) !== "then"),
  );
  return replaceAt(value, steps, () => strange(random));
}

const indices = new Map<Protocol, Index>();
const indexOf = (protocol: Protocol): Index => {
  let match = indices.get(protocol);
  if (!match) indices.set(protocol, (match = index(protocol)));
  return match;
};

let allWords: readonly string[] | undefined;
