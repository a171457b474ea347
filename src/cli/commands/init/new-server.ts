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
import { replaceFile } from "../../replace.js";
import { runJobs } from "../configured.js";
import { stemOf } from "../pull/target.js";
import {
  type Answers,
  defaultOut,
  type NewServer,
  protocolJob,
} from "./jobs.js";
import { addFile, filledFile, inLiteral, installStep } from "./files.js";

/**
 * The job of a new server: one for the protocol, or one for the file of its
 * tools, prompts and resources that a person writes.
 */
function jobOf({ name, isFromFile }: NewServer): Config {
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
  const { exitCode } = await runJobs(
    { file, directory, config: job },
    mode,
    context,
  );
  const toAdd = Object.entries(job).map(
    ([key, [first]]: [string, (GenerateJob | ServerJob)[]]) => {
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

/** A server in code, its test, and what starts both. */
async function addServerCode(
  name: string,
  directory: string,
  context: Context,
): Promise<Written> {
  const hasCompiler = (await findUp(directory, "tsconfig.json")) !== null;
  const extension = await importExtensionFor(join(directory, "src"));
  const values = {
    name: inLiteral(name),
    stem: stemOf(name),
    extension: extension === "none" ? "" : `.${extension}`,
  };
  let added = "";
  for (const file of ["server.ts", "main.ts", "server.test.ts"])
    added += await addFile(
      directory,
      `src/${file}`,
      await filledFile(`server/${file}`, values),
    );
  if (!hasCompiler)
    added += await addFile(
      directory,
      "tsconfig.json",
      await filledFile("server/compiler.json", {}),
    );
  const own = await filledFile("server/manifest.json", values);
  const scripts = await addScripts(directory, own);
  const shown = relative(context.directory, directory).replaceAll("\\", "/");
  const inside = shown === "" ? "" : `cd ${shown} && `;
  const designed = `${values.stem}.mcp.json`;
  const hasFile = (await readText(join(directory, designed))) !== null;
  return {
    added: `${added}${scripts.added}`,
    steps: [
      ...(hasFile
        ? [
            `${designed}: exists; mcpgen init --server-from-file ${values.stem} continues the server that it describes\n`,
          ]
        : []),
      installStep(
        directory,
        [runtimePackage, "zod"],
        ["mcpgen", "tsx", "@types/node"],
      ),
      `write what the server does in  ${join(shown, "src/server.ts").replaceAll("\\", "/")}\n`,
      `start it:                      ${inside}${scripts.hasStart ? "npm start" : "npx tsx src/main.ts"}\n`,
      `test it:                       ${inside}${scripts.hasTest ? "npm test" : "npx tsx --test src/server.test.ts"}\n`,
    ],
  };
}

/** The script `test` of `npm init`, which is none. */
const noTest = 'echo "Error: no test specified" && exit 1';

/**
 * Adds the scripts of the server to `package.json`, which is written if it does
 * not exist. A script that it has stays.
 */
async function addScripts(
  directory: string,
  own: string,
): Promise<{
  readonly added: string;
  readonly hasStart: boolean;
  readonly hasTest: boolean;
}> {
  const path = join(directory, "package.json");
  const text = await readText(path);
  if (text === null)
    return {
      added: await addFile(directory, "package.json", own),
      hasStart: true,
      hasTest: true,
    };
  const wanted = Object(JSON.parse(own).scripts) as Record<string, string>;
  const manifest = parseOrUndefined(text);
  if (!isRecord(manifest))
    return {
      added: "package.json: cannot be read, not changed\n",
      hasStart: false,
      hasTest: false,
    };
  const present = isRecord(manifest["scripts"]) ? manifest["scripts"] : {};
  const missing = Object.keys(wanted).filter(
    (name) => present[name] === undefined || present[name] === noTest,
  );
  const scripts = {
    ...present,
    ...Object.fromEntries(missing.map((name) => [name, wanted[name]])),
  };
  if (missing.length > 0) {
    const [, indent = "  "] = /^\{\s*?\n([ \t]+)/.exec(text) ?? [];
    await replaceFile(
      path,
      `${JSON.stringify({ ...manifest, scripts }, null, indent)}\n`,
    );
  }
  const what =
    missing.length === 0
      ? "exists, not changed"
      : `scripts ${missing.join(" and ")} added`;
  const isOwn = (name: string): boolean => scripts[name] === wanted[name];
  return {
    added: `package.json: ${what}\n`,
    hasStart: isOwn("start"),
    hasTest: isOwn("test"),
  };
}
