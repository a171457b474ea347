import { hostile } from "../hostile/corpus.js";
import { revisions } from "../read/typescript/reading.js";
import { changesOf, pageOf, serverPageOf } from "../docs/making.js";
import { fixture, snapshotOf } from "../stubs/project.js";

/** The pages to test as HTML, by name. */
export async function makePages(): Promise<ReadonlyMap<string, string>> {
  const all = await revisions();
  const [from, to] = [all.at(-2), all.at(-1)];
  if (from === undefined || to === undefined)
    throw new Error("there are not two revisions");
  const pages = new Map([
    ...all.map(
      (protocol) =>
        [protocol.revision, pageOf({ kind: "revision", protocol })] as const,
    ),
    ["changes", pageOf({ kind: "comparison", from, to })],
    ["weather", await serverPageOf(fixture("weather"))],
    ["drift", await changesOf(fixture("weather"), hostileServer())],
    ["hostile", await serverPageOf(hostileServer())],
  ]);
  return new Map([...pages].map(([name, { html }]) => [name, html]));
}

const hostileHtml = [
  "<img src=x onerror=globalThis.pwned=1>",
  "<svg onload=globalThis.pwned=1>",
  "<iframe src='javascript:globalThis.pwned=1'></iframe>",
  "</style><script>globalThis.pwned=1</script>",
  '"><script>globalThis.pwned=1</script>',
  "javascript:globalThis.pwned=1",
  "http://127.0.0.1:9/trap.png",
  "<link rel=stylesheet href=http://127.0.0.1:9/trap.css>",
  "<meta http-equiv=refresh content='0;url=http://127.0.0.1:9/'>",
  "`<b onclick=globalThis.pwned=1>`",
];

/**
 * A server with the corpus distributed over its lists, and with hostile HTML in
 * each list.
 */
function hostileServer(): string {
  const words = (list: number): string[] => [
    ...hostile.filter((text, i) => i % 4 === list && text.length < 2000),
    ...hostileHtml,
  ];
  const schema = (text: string): object => ({
    type: "object",
    description: text,
    properties: {
      [text]: { description: text, enum: [text] },
      part: { $ref: "#/$defs/part" },
    },
    $defs: {
      part: {
        description: text,
        type: "object",
        properties: { [text]: { const: text } },
      },
    },
  });
  const doc = (text: string): object => ({
    title: text,
    description: text,
    _meta: { [text]: text },
  });
  return snapshotOf({
    server: {
      name: hostileHtml[0],
      title: hostileHtml[1],
      version: hostileHtml[3],
      websiteUrl: hostileHtml[5],
    },
    capabilities: Object.fromEntries(hostileHtml.map((text) => [text, {}])),
    instructions: [...words(0), ...words(2)].join("\n\n"),
    tools: words(0).map((text) => ({
      name: text,
      ...doc(text),
      inputSchema: schema(text),
      outputSchema: schema(text),
    })),
    prompts: words(1).map((text) => ({
      name: text,
      ...doc(text),
      arguments: [{ name: text, description: text }],
    })),
    resources: words(2).map((text) => ({
      name: text,
      uri: text,
      ...doc(text),
      mimeType: text,
    })),
    resourceTemplates: words(3).map((text, i) => ({
      name: text,
      uriTemplate: `x${i}:${text.replace(/[{}]/g, "")}`,
      ...doc(text),
    })),
  });
}
