import { join, relative } from "node:path";
import type { Config, GenerateJob, ServerJob } from "../../../config.js";
import {
  isRecord,
  parseOrUndefined,
} from "../../../generator/ir/json/value.js";
import { configNames } from "../../config/find.js";
import type { Context } from "../../command.js";
import type { ExitCode } from "../../command-error.js";
import { findUp, readText } from "../../destination/find.js";
import { isInstalled, runtimePackage } from "../../destination/installed.js";
import { importExtensionFor } from "../../destination/tsconfig.js";
import { textWithOwned } from "../../../generator/ir/json/owned.js";
import { replaceInside } from "../../replace.js";
import { briefly } from "../../report.js";
import { runJobs } from "../configured.js";
import { stemOf } from "../../snapshot-file.js";
import {
  type Answers,
  defaultOut,
  type NewServer,
  protocolJob,
} from "./jobs.js";
import {
  addFile,
  filledFile,
  inLiteral,
  installStep,
  markGenerated,
} from "./files.js";
import { type Runtime, runnerFor } from "./runner.js";

/**
 * The job of a new server: one for the protocol, or one for the file of its
 * tools, prompts and resources that a person writes.
 */
function jobOf({
  name,
  isFromFile,
}: NewServer): Pick<Config, "generate" | "servers"> {
  const stem = stemOf(name);
  const server: ServerJob = {
    snapshot: `${stem}.mcp.json`,
    out: `${defaultOut}/${stem}`,
    emit: ["server"],
  };
  return isFromFile ? { servers: [server] } : { generate: [protocolJob] };
}

/** What to write for a new server. */
export const newServer = (server: NewServer): Answers => ({
  config: jobOf(server),
  issuer: null,
  server,
});

/**
 * Writes the files of a new server into the folder of the configuration, unless
 * they exist, and generates what it needs. Returns what was done, and the next
 * steps. `config` is the configuration that has no job for the server; null if
 * it has one.
 */
export async function writeNewServer(
  server: NewServer,
  directory: string,
  config: string | null,
  context: Context,
): Promise<{ readonly exitCode: ExitCode; readonly advice: string }> {
  const job = jobOf(server);
  const write = server.isFromFile ? addServerFile : addServerCode;
  const { added, steps } = await write(server.name, directory, context);
  const file = config ?? configNames[0];
  const mode = { mode: "write", force: false, clean: false } as const;
  // The next steps say the rest.
  const brief: Context = {
    ...context,
    report: (part) => context.report(briefly(part, ["MG762"])),
  };
  const { exitCode } = await runJobs(
    { file, directory, config: job },
    mode,
    brief,
  );
  const toAdd = Object.entries(job).map(
    ([key, [first]]: [string, readonly (GenerateJob | ServerJob)[]]) => {
      const text = JSON.stringify(first, null, 1).replace(/\s+/g, " ");
      return `${config}: exists; add to its "${key}":\n  ${text}\n`;
    },
  );
  return {
    exitCode,
    advice: [added, ...(config === null ? [] : toAdd), ...steps].join(""),
  };
}

/** What was written, and the next steps. */
interface Written {
  readonly added: string;
  readonly steps: readonly string[];
}

/** The file of a server that a person designs. */
async function addServerFile(
  name: string,
  directory: string,
  context: Context,
): Promise<Written> {
  const stem = stemOf(name);
  const text = await filledFile("server.mcp.json", { name: inLiteral(name) });
  const shown = join(
    relative(context.directory, directory),
    defaultOut,
    stem,
  ).replaceAll("\\", "/");
  return {
    added: await addFile(directory, `${stem}.mcp.json`, text),
    steps: [
      ...(isInstalled(runtimePackage, directory)
        ? []
        : [`install the runtime:           npm install ${runtimePackage}\n`]),
      `write what the server does in  ${shown}/handlers\n`,
      `start it:                      npx tsx ${shown}/main.ts\n`,
      "after a change of its file:    npx mcpgen\n",
    ],
  };
}

/** What is written beside a server in code, unless it exists. */
const besides: readonly (readonly [file: string, template: string])[] = [
  ["src/server.ts", "server/server.ts"],
  ["src/main.ts", "server/main.ts"],
  ["src/http.ts", "server/http.ts"],
  ["src/server.test.ts", "server/server.test.ts"],
  ["Dockerfile", "server/Dockerfile"],
  [".dockerignore", "server/ignored"],
  [".gitignore", "server/ignored"],
  ["README.md", "server/README.md"],
];

/** A server in code, its test, and what starts, compiles and contains it. */
async function addServerCode(
  name: string,
  directory: string,
  context: Context,
): Promise<Written> {
  const hasCompiler = (await findUp(directory, "tsconfig.json")) !== null;
  // The extension of imports depends on this file.
  let added = hasCompiler
    ? ""
    : await addFile(
        directory,
        "tsconfig.json",
        await filledFile("server/compiler.json", {}),
      );
  const extension = await importExtensionFor(join(directory, "src"));
  const { runtime, start, test } = await runnerFor(extension);
  const values = {
    name: inLiteral(name),
    stem: stemOf(name),
    extension: extension === "none" ? "" : `.${extension}`,
    start,
    test,
  };
  for (const [file, template] of besides)
    added += await addFile(directory, file, await filledFile(template, values));
  added += await markGenerated(directory, [protocolJob.out]);
  const scripts = await addScripts(
    directory,
    await filledFile("server/manifest.json", values),
    hasCompiler ? ["build"] : [],
  );
  const designed = `${values.stem}.mcp.json`;
  const hasFile = (await readText(join(directory, designed))) !== null;
  const development = ["mcpgen", "typescript", "@types/node"];
  return {
    added: `${added}${scripts.added}`,
    steps: [
      ...(scripts.isModule || hasCompiler
        ? []
        : ["make its modules ES modules:   npm pkg set type=module\n"]),
      ...(hasFile
        ? [
            `${designed}: exists; mcpgen init --server-from-file ${values.stem} continues the server that it describes\n`,
          ]
        : []),
      installStep(
        directory,
        [runtimePackage, "zod"],
        runtime === "tsx" ? [...development, "tsx"] : development,
      ),
      ...startSteps(values, runtime, scripts.own, directory, context.directory),
    ],
  };
}

/** How to test and start the server, and its entry in the files of two hosts. */
function startSteps(
  values: Readonly<Record<"stem" | "start" | "test", string>>,
  runtime: Runtime,
  scripts: ReadonlySet<string>,
  directory: string,
  current: string,
): string[] {
  const shown = relative(current, directory).replaceAll("\\", "/");
  const inside = shown === "" ? "" : `cd ${shown} && `;
  const npx = runtime === "tsx" ? "npx " : "";
  const [test, http, stdio] = [
    scripts.has("test") ? "npm test" : `${values.test} src/server.test.ts`,
    scripts.has("start:http")
      ? "npm run start:http"
      : `${npx}${values.start} src/http.ts`,
    scripts.has("start") ? "npm start" : `${npx}${values.start} src/main.ts`,
  ];
  const canBuild = scripts.has("build");
  const [command = "", ...args] = canBuild
    ? ["node", join(directory, "dist/main.js")]
    : [
        // tsx is found in the folder of the project only.
        ...(runtime === "tsx" ? ["npx", "--prefix", directory] : []),
        ...values.start.split(" "),
        join(directory, "src/main.ts"),
      ];
  const entryOf = (key: string, entry: object): string =>
    JSON.stringify({ [key]: { [values.stem]: entry } }, null, 1).replace(
      /\n */g,
      " ",
    );
  return [
    `write what the server does in  ${join(shown, "src/server.ts").replaceAll("\\", "/")}\n`,
    `test it:                       ${inside}${test}\n`,
    `serve it over HTTP:            ${inside}${http}\n`,
    `serve it over stdio:           ${inside}${stdio}   (prints nothing, and waits for a host; Ctrl-C ends it)\n`,
    ...(canBuild
      ? [`compile it for hosts:          ${inside}npm run build\n`]
      : []),
    `add it to Claude Desktop, in claude_desktop_config.json:\n  ${entryOf("mcpServers", { command, args })}\n`,
    `add it to VS Code, in .vscode/mcp.json:\n  ${entryOf("servers", { type: "stdio", command, args })}\n`,
  ];
}

/** The script `test` of `npm init`, which is none. */
const noTest = 'echo "Error: no test specified" && exit 1';

/**
 * Adds the scripts of the server to `package.json`, which is written if it does
 * not exist, and that its modules are ES modules, if it does not say. A script
 * that it has stays.
 */
async function addScripts(
  directory: string,
  own: string,
  without: readonly string[],
): Promise<{
  readonly added: string;
  /** The names of those that are as this command writes them. */
  readonly own: ReadonlySet<string>;
  readonly isModule: boolean;
}> {
  const path = join(directory, "package.json");
  const text = await readText(path);
  const wanted = Object(JSON.parse(own).scripts) as Record<string, string>;
  const names = Object.keys(wanted).filter((name) => !without.includes(name));
  if (text === null)
    return {
      added: await addFile(directory, "package.json", own),
      own: new Set(names),
      isModule: true,
    };
  const manifest = parseOrUndefined(text);
  if (!isRecord(manifest))
    return {
      added: "package.json: cannot be read, not changed\n",
      own: new Set(),
      isModule: true,
    };
  const present = isRecord(manifest["scripts"]) ? manifest["scripts"] : {};
  const { type = without.length === 0 ? "module" : undefined } = manifest;
  const missing = names.filter(
    (name) => present[name] === undefined || present[name] === noTest,
  );
  const scripts = {
    ...present,
    ...Object.fromEntries(missing.map((name) => [name, wanted[name]])),
  };
  const added = [
    ...(type === manifest["type"] ? [] : ["type module"]),
    ...(missing.length === 0 ? [] : [`scripts ${missing.join(", ")}`]),
  ].join(" and ");
  if (added !== "")
    await replaceInside(
      path,
      directory,
      textWithOwned(text, { type, scripts }) ?? text,
    );
  const isOwn = (name: string): boolean => scripts[name] === wanted[name];
  return {
    added: `package.json: ${added === "" ? "exists, not changed" : `${added} added`}\n`,
    own: new Set(names.filter(isOwn)),
    isModule: type === "module",
  };
}
