import { createHash } from "node:crypto";
import { format } from "prettier";
import { beforeAll, describe, expect, it } from "vitest";
import type { Protocol } from "../../src/ir/model.js";
import { hostile } from "../hostile/corpus.js";
import { laughs } from "../hostile/laughs.js";
import { sample } from "../hostile/protocol.js";
import { filled, slotsOf } from "../hostile/slots.js";
import { invisible } from "../hostile/syntax.js";
import { revisions } from "../read/typescript/reading.js";
import { fixture, snapshotOf } from "../stubs/project.js";
import { drifted, driftPageOf, pageOf, parsed, plainText, serverPageOf, type Tag } from "./making.js";

/** Every tag and attribute that the templates and views write. */
const allowedTags: Readonly<Record<string, readonly string[]>> = {
  html: ["lang"],
  head: [],
  meta: ["charset", "http-equiv", "content", "name"],
  title: [],
  link: ["rel", "href"],
  style: ["text"],
  script: ["text"],
  body: [],
  a: ["class", "href", "aria-label"],
  header: ["class", "id"],
  div: ["class", "role", "hidden"],
  label: ["for"],
  input: ["id", "type", "placeholder", "autocomplete", "spellcheck", "aria-describedby"],
  kbd: ["aria-hidden"],
  nav: ["aria-label"],
  details: ["open"],
  summary: [],
  p: ["class", "id", "role"],
  main: ["id", "tabindex"],
  section: ["class", "id", "aria-labelledby"],
  article: ["id"],
  span: ["id", "class"],
  code: ["class"],
  th: ["scope"],
  dl: ["class"],
  ul: ["class"],
  li: ["class"],
  table: ["class"],
  tr: ["class"],
  ...Object.fromEntries(
    "strong h1 h2 h3 h4 dt dd figure figcaption pre em wbr caption thead tbody td del ins footer"
      .split(" ")
      .map((name) => [name, []]),
  ),
};

const empty = new Set(["meta", "link", "input", "wbr", "style", "script"]);

/** The parts of a page that no page may have. */
function faultsOf(page: string): string[] {
  const { tags } = parsed(page);
  const ids = tags.flatMap(({ attributes }) => attributes.get("id") ?? []);
  const known = new Set(ids);
  const faults = tags.flatMap(({ name, attributes }) => {
    const allowed = allowedTags[name];
    if (allowed === undefined) return [`the tag ${name}`];
    const strange = [...attributes.keys()].filter((key) => !allowed.includes(key));
    return strange.map((key) => `the attribute ${key} of ${name}`);
  });
  const links = tags.flatMap(({ name, attributes }) => (name === "a" ? (attributes.get("href") ?? []) : []));
  const lost = links.filter((href) => !href.startsWith("#") || !known.has(href.slice(1)));
  return [
    ...faults,
    ...unbalanced(tags),
    ...lost.map((href) => `a link to ${href}`),
    ...ids.filter((id, i) => ids.indexOf(id) !== i).map((id) => `the id ${id} twice`),
    ...(invisible.exec(page) ?? []).map((char) => `invisible ${JSON.stringify(char)}`),
  ];
}

function unbalanced(tags: readonly Tag[]): string[] {
  const open: string[] = [];
  for (const { name, isEnd } of tags) {
    if (empty.has(name)) continue;
    if (!isEnd) open.push(name);
    else if (open.pop() !== name) return [`an end tag ${name} without a start tag`];
  }
  return open.map((name) => `${name} without an end tag`);
}

let all: readonly Protocol[] = [];
beforeAll(async () => {
  all = await revisions();
});

describe("a page", () => {
  it("has only the tags and attributes of the templates, and every link leads to an entry of the page", async () => {
    const pages = [
      ...all.map((protocol) => pageOf({ kind: "revision", protocol })),
      ...all.slice(1).map((to, i) => pageOf({ kind: "comparison", from: all[i] as Protocol, to })),
      await serverPageOf(fixture("weather")),
      await driftPageOf(fixture("weather"), drifted()),
    ];
    expect(pages.length).toBe(11);
    expect(pages.flatMap(faultsOf)).toEqual([]);
  });

  it("has the same bytes for the same source", () => {
    for (const protocol of all) {
      expect(pageOf({ kind: "revision", protocol })).toBe(
        pageOf({ kind: "revision", protocol: structuredClone(protocol) }),
      );
    }
  });

  it.each([{}, { printWidth: 40, bracketSameLine: true }, { useTabs: true, singleAttributePerLine: true }])(
    "stays as it is when Prettier formats it, so that its policy still allows its code: %j",
    async (options) => {
      for (const page of [
        await serverPageOf(fixture("weather")),
        await driftPageOf(fixture("weather"), drifted()),
      ])
        expect(await format(page, { ...options, parser: "html" })).toBe(page);
    },
  );

  it("allows in its policy only its own style and script, by their digests", async () => {
    const page = await serverPageOf(fixture("weather"));
    const { tags } = parsed(page);
    const policy =
      tags.find(({ attributes }) => attributes.has("http-equiv"))?.attributes.get("content") ?? "";
    const rules = plainText(policy);
    expect(rules).toContain("default-src 'none'");
    for (const name of ["style", "script"]) {
      const [element, ...others] = tags.filter((tag) => tag.name === name);
      expect(others).toEqual([]);
      const text = element?.attributes.get("text") ?? "";
      expect(text.length).toBeGreaterThan(1000);
      const digest = createHash("sha256").update(text).digest("base64");
      expect(rules).toContain(`${name}-src 'sha256-${digest}'`);
    }
    expect(rules).not.toContain("unsafe");
  });

  it("has an entry for each method, type and constant of a revision", () => {
    for (const protocol of all) {
      const { tags } = parsed(pageOf({ kind: "revision", protocol }));
      const articles = tags.filter(({ name, isEnd }) => name === "article" && !isEnd);
      expect(articles.length).toBe(protocol.messages.length + protocol.declarations.length);
    }
  });

  it("shows the tools, prompts, resources and templates of a server, and the hints of its tools", async () => {
    const text = plainText(await serverPageOf(fixture("weather")));
    for (const words of [
      "get_weather Current weather",
      "read-only",
      "modifies data",
      "at least 1 character",
      "packing_list",
      "weather://stations/{id}{?from,to}",
      '"code": "AA-1"',
    ]) {
      expect(text).toContain(words);
    }
  });

  it("shows the lines of both revisions side by side, and which side breaks", () => {
    const [from, to] = [all.at(-2), all.at(-1)];
    if (from === undefined || to === undefined) throw new Error("there are not two revisions");
    const page = pageOf({ kind: "comparison", from, to });
    expect(page).toMatch(/<td><del><code>[^]*?<\/del><\/td><td><ins>/);
    expect(plainText(page)).toContain("breaks an old client that");
    const same = pageOf({ kind: "comparison", from, to: from });
    expect(plainText(same)).toContain("There are no differences");
    expect(parsed(same).tags.some(({ name }) => name === "article")).toBe(false);
  });
});

describe("a page of hostile text", () => {
  // Every eighth turn puts every text into some slot; `npm run test:vectors` puts each text into each slot.
  const step = process.env["MCPGEN_VECTORS"] === undefined ? 8 : 1;
  const text =
    (turn: number): ((slot: number) => string) =>
    (slot) =>
      hostile[(turn + slot) % hostile.length] ?? "";

  it.each(
    hostile.map((words, turn) => ({ words: words.slice(0, 40), turn })).filter((_, i) => i % step === 0),
  )(
    "from a server has only the tags and attributes of the templates: turn $turn, $words",
    async ({ turn }) => {
      expect(faultsOf(await serverPageOf(server(text(turn))))).toEqual([]);
    },
  );

  it("from two servers has only the tags and attributes of the templates", async () => {
    for (let turn = 0; turn < hostile.length; turn += step) {
      const [was, is] = [server(text(turn)), server(text(turn + 1))];
      expect(faultsOf(await driftPageOf(was, is))).toEqual([]);
      expect(faultsOf(await driftPageOf(was, was.replaceAll('"string"', '"number"')))).toEqual([]);
    }
  });

  it("from a schema has only the tags and attributes of the templates", async () => {
    const protocol = await sample();
    const slots = slotsOf(protocol);
    const faults = hostile.flatMap((_, turn) => {
      if (turn % step !== 0) return [];
      // A reader only accepts identifiers as names of declarations; here a name may be any text.
      const filling = slots.map(
        (slot, i) => [slot, `${text(turn)(i)}${slot.name === null ? "" : i}`] as const,
      );
      const other = filled(protocol, filling);
      return [
        ...faultsOf(pageOf({ kind: "revision", protocol: other })),
        ...(turn % 16 === 0 ? faultsOf(pageOf({ kind: "comparison", from: protocol, to: other })) : []),
      ];
    });
    expect(faults).toEqual([]);
  });

  /** A server with another text in every slot that a page shows. */
  function server(word: (slot: number) => string): string {
    const schema = {
      type: "object",
      description: word(0),
      properties: {
        [word(1)]: { description: word(2), enum: [word(3), word(4)] },
        nested: { type: "object", properties: { [word(5)]: { const: word(6) } } },
        part: { $ref: "#/$defs/part" },
        pattern: { type: "string", pattern: "^[a-z<>\"'&]+$" },
      },
      $defs: {
        part: { description: word(7), type: "object", properties: { [word(8)]: { type: "string" } } },
      },
      required: [word(9)],
    };
    const doc = { title: word(10), description: word(11), _meta: { [word(12)]: word(13) } };
    return snapshotOf({
      server: { name: word(14), title: word(15), version: word(16), websiteUrl: word(17) },
      capabilities: { [word(18)]: { [word(19)]: {} } },
      instructions: word(20),
      tools: [
        {
          name: word(21),
          ...doc,
          inputSchema: schema,
          outputSchema: schema,
          execution: { taskSupport: word(22) },
        },
      ],
      prompts: [{ name: word(23), ...doc, arguments: [{ name: word(24), description: word(25) }] }],
      resources: [{ name: word(26), uri: word(27), ...doc, mimeType: word(28) }],
      resourceTemplates: [{ name: word(29), uriTemplate: word(30), ...doc }],
    });
  }
});

describe("a page of a very large server", () => {
  it("has 2,000 tools, one of them with schemas that refer to each other many times", async () => {
    const tools = Array.from({ length: 2000 }, (_, i) => ({
      name: `tool${i}`,
      inputSchema: i === 0 ? laughs : {},
    }));
    const { tags } = parsed(await serverPageOf(snapshotOf({ tools })));
    expect(tags.filter(({ name, isEnd }) => name === "article" && !isEnd).length).toBeGreaterThan(2000);
  });
});
