import type { ServerJob, ServerSource } from "../../../config.js";
import { exampleOf } from "../../../generator/ir/example/example.js";
import type { Snapshot, Tool } from "../../../generator/ir/snapshot/model.js";
import { ProjectNaming } from "../../../generator/view/project/naming.js";
import { findNamed } from "../../live/entry.js";
import { stdioAddressOf } from "../../live/find-address.js";
import { redacted, secretsOf } from "../../live/secrets.js";
import { moduleParts } from "../../live/server.js";
import { splitCommand } from "../../live/split.js";

/** The imports of a program, and how it reaches the server. */
interface Connection {
  readonly imports: readonly string[];
  /** Statements before the connection. */
  readonly setup?: readonly string[];
  readonly transport: string;
}

/** Where a program is, and what it imports. */
interface Place {
  /** The folder of the configuration and the program. */
  readonly directory: string;
  /** How the program imports the folder of the client. */
  readonly folder: string;
  /** The extension of imports: `.js`, `.ts`, or nothing. */
  readonly extension: string;
  /** The names that the members of the client have. */
  readonly given: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/**
 * A program that calls the server by its generated client: the first tool that
 * only reads, with the arguments that it needs.
 */
export async function programFor(
  snapshot: Snapshot,
  job: ServerJob,
  { directory, folder, extension, given }: Place,
): Promise<string> {
  const named = { ...snapshot, name: job.name ?? snapshot.name };
  const naming = new ProjectNaming(named, job.names, given);
  const connect = `connect${naming.stem}`;
  const connection = await connectionTo(job.source ?? {}, directory);
  const lines = [
    ...connection.imports,
    `import { ${connect} } from ${quoted(`${folder}/connect${extension}`)};`,
    "",
    ...(connection.setup ?? []),
    `const server = await ${connect}(`,
    `  ${connection.transport},`,
    '  { info: { name: "caller", version: "1.0.0" } },',
    ");",
    ...callOf(snapshot, naming),
    "await server.close();",
    "",
  ];
  return lines.join("\n");
}

/** A call of the first tool that only reads, or else of one that may write. */
function callOf(
  { tools, definitions }: Snapshot,
  naming: ProjectNaming,
): readonly string[] {
  const byKey = new Map(definitions.map((one) => [one.key, one]));
  const argumentsOf = ({ input, name, needsInput }: Tool) => {
    const schema = byKey.get(input)?.schema;
    if (schema === undefined || !needsInput) return {};
    const includes = (): boolean => false;
    return exampleOf(schema, { definitions: byKey, name, includes });
  };
  const rank = ({ hints }: Tool): number =>
    hints.readOnly === true ? 0 : hints.destructive === true ? 2 : 1;
  const calls = tools.flatMap((tool, i) => {
    const example = argumentsOf(tool);
    const member = naming.tools[i] ?? "";
    const text = tool.needsInput ? quoted(example) : "";
    if (example === undefined || rank(tool) === 2) return [];
    return [{ rank: rank(tool), text: `server.tools.${member}(${text})` }];
  });
  const [first] = calls.sort((a, b) => a.rank - b.rank);
  return first === undefined
    ? ["console.log(server.connection.server.info);"]
    : [`const result = await ${first.text};`, "console.log(result.content);"];
}

/**
 * How a program reaches a server. Values of variables and headers are read from
 * the environment, and what looks like a secret is left out.
 */
async function connectionTo(
  source: ServerSource,
  directory: string,
): Promise<Connection> {
  const over = (transport: string, ...values: string[]): Connection => {
    const list = values.filter((value) => value !== "").join(", ");
    return {
      imports: [`import { ${transport} } from "@mcpgen/runtime/${transport}";`],
      transport: `${transport}(${list})`,
    };
  };
  const { url, stdio, module: exported, env = [], config } = source;
  if (url !== undefined) return over("http", quoted(url));
  if (exported !== undefined) return inMemory(exported);
  if (config === undefined) {
    const [command = "", ...args] = splitCommand(stdio ?? placeholder) ?? [];
    const setup = stdio === undefined ? [unknownServer] : [];
    const started = [quoted(command), arrayOf(args), optionsOf(env)];
    return { ...over("stdio", ...started), setup };
  }
  const entry = await findNamed(config, directory);
  if (entry.kind === "http") {
    const headers = Object.entries(entry.headers).map(
      ([name, value]) => `${quoted(name)}: ${headerOf(name, value)}`,
    );
    const options = `{ headers: { ${headers.join(", ")} } }`;
    return over("http", codeOf(entry.url), headers[0] ? options : "");
  }
  const { command, args } = entry;
  const hidden = secretsOf(stdioAddressOf(command, args));
  const shown = args.map((word) => redacted(word, hidden));
  const options = optionsOf(Object.keys(entry.env));
  return over("stdio", codeOf(command), arrayOf(shown), options);
}

/** A server of which only the snapshot is known. */
const placeholder = "node server.js";
const unknownServer =
  "// The snapshot does not say where its server is: write its command here.";

function inMemory(exported: string): Connection {
  const { file, name } = moduleParts(exported);
  const binding = name === "default" ? "served" : `{ ${name} as served }`;
  return {
    imports: [
      'import { memoryPair, serve } from "@mcpgen/runtime";',
      `import ${binding} from ${quoted(file)};`,
    ],
    setup: [
      "const [transport, other] = memoryPair();",
      "await serve(other, served);",
    ],
    transport: "transport",
  };
}

/**
 * A literal in one line, in which only ASCII characters stand as they are. A
 * name of a member stands between a bracket or comma and a colon.
 */
const quoted = (value: unknown): string =>
  JSON.stringify(value, null, 1)
    .replace(/\n */g, " ")
    .replace(/(?<=[{,] )"([A-Za-z_$][\w$]*)": /g, "$1: ")
    .replace(
      /[^\x20-\x7e]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );

const variable = (name: string): string => `process.env[${quoted(name)}]`;

const arrayOf = (words: readonly string[]): string =>
  `[${words.map(codeOf).join(", ")}]`;

function optionsOf(names: readonly string[]): string {
  const members = names.map((name) => `${quoted(name)}: ${variable(name)}`);
  return names.length === 0 ? "" : `{ env: { ${members.join(", ")} } }`;
}

/** The text of an entry, in which `${NAME}` is a variable of the environment. */
function codeOf(text: string): string {
  const parts = text.split(/\$\{(?:env:)?(\w+)(?::-[^{}]*)?\}/);
  const codes = parts.map((part, i) =>
    i % 2 === 0 ? quoted(part) : `(${variable(part)} ?? "")`,
  );
  return codes
    .filter((code) => code !== '""' || parts.length === 1)
    .join(" + ");
}

/** A header: as it is written if its value is a variable. */
const headerOf = (name: string, value: string): string =>
  /^(?:\w+ )?\$\{[\w:]+\}$/.test(value)
    ? codeOf(value)
    : `${variable(name.toUpperCase().replace(/\W/g, "_"))} ?? ""`;
