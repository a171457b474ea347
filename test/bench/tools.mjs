// Snapshots of a server of any size. The tools differ as those of real servers do, and are the same in every run.
import { revision } from "./shared.mjs";

const nouns =
  "file issue branch message channel user invoice order page table row image job alert route".split(" ");
const verbs = "list get create update delete search move merge send archive".split(" ");
const pick = (from, i) => from[i % from.length];

/** A member of a tool's arguments, of the kinds that servers declare. */
const members = [
  (i) => [
    "path",
    { type: "string", minLength: 1, description: `Where the ${pick(nouns, i)} is, from the root.` },
  ],
  (i) => [
    "limit",
    { type: "integer", minimum: 1, maximum: 100 + (i % 7), default: 20, description: "How many at most." },
  ],
  (i) => ["mode", { enum: ["fast", "safe", `own-${i}`], description: `How to ${pick(verbs, i)} it.` }],
  () => ["tags", { type: "array", items: { type: "string", maxLength: 40 }, maxItems: 10 }],
  (i) => [
    "filter",
    {
      type: "object",
      description: "Only those for which this holds.",
      properties: {
        field: { type: "string", enum: ["name", "size", "age", pick(nouns, i)] },
        value: { type: ["string", "number", "null"] },
        range: {
          type: "object",
          properties: { from: { type: "number" }, to: { type: "number" } },
          required: ["from"],
        },
      },
      required: ["field"],
      additionalProperties: false,
    },
  ],
  (i) => [
    "target",
    {
      anyOf: [
        {
          type: "object",
          properties: { kind: { const: "id" }, id: { type: "integer" } },
          required: ["kind", "id"],
        },
        {
          type: "object",
          properties: { kind: { const: "name" }, name: { type: "string" } },
          required: ["kind", "name"],
        },
      ],
      description: `The ${pick(nouns, i + 3)} that receives it.`,
    },
  ],
  () => [
    "dryRun",
    { type: "boolean", default: false, description: "Change nothing, and say what would change." },
  ],
];

function schemaOf(i) {
  const chosen = members.filter((_, at) => (i + at) % 3 !== 0).map((member) => member(i));
  return {
    type: "object",
    properties: Object.fromEntries(chosen),
    required: chosen.slice(0, 1 + (i % 2)).map(([name]) => name),
    ...(i % 4 === 0 ? { additionalProperties: false } : {}),
  };
}

const resultOf = (i) => ({
  type: "object",
  properties: {
    items: {
      type: "array",
      items: {
        type: "object",
        properties: {
          id: { type: "string" },
          score: { type: "number" },
          [pick(nouns, i)]: { type: "string" },
        },
        required: ["id"],
      },
    },
    total: { type: "integer", minimum: 0 },
  },
  required: ["items"],
});

/** A tool by its number: some members each, nested objects, lists, enumerations, alternatives; every third has a result. */
export function tool(i) {
  const [verb, noun] = [pick(verbs, i), pick(nouns, Math.floor(i / verbs.length))];
  return {
    name: `${verb}_${noun}_${i}`,
    ...(i % 2 === 0 ? { title: `${verb} ${noun} number ${i}` } : {}),
    description: `Tool number ${i} can ${verb} a ${noun}. It says how that went, and which others it touched on the way.`,
    ...(i % 3 === 0 ? { annotations: { readOnlyHint: true } } : {}),
    inputSchema: schemaOf(i),
    ...(i % 3 === 0 ? { outputSchema: resultOf(i) } : {}),
  };
}

/** The text of a snapshot with so many tools; one more tool has a description of so many characters. */
export function snapshot(count, described = 0) {
  const sentence = "This sentence is one of many that a long description repeats, word for word. ";
  const more = sentence.repeat(Math.ceil(described / sentence.length)).slice(0, described);
  const tools = Array.from({ length: count }, (_, i) => tool(i));
  if (described > 0) tools.push({ ...tool(count), name: "long", description: more });
  return JSON.stringify({
    format: 1,
    revision,
    server: { name: "bench", version: "1.0.0" },
    capabilities: { tools: {} },
    tools,
  });
}
