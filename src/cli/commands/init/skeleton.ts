import { join, relative } from "node:path";
import type { ServerJob } from "../../../config.js";
import { configNames } from "../../config/find.js";
import type { Context } from "../../command.js";
import type { ExitCode } from "../../command-error.js";
import { isInstalled, runtimePackage } from "../../destination/installed.js";
import { runJobs } from "../configured.js";
import { stemOf } from "../pull/target.js";
import { type Answers, defaultOut } from "./jobs.js";
import { addFile, filledFile, inLiteral } from "./files.js";

/** The job of a new server: its tools, prompts and resources are in a file that a person writes. */
function skeletonJob(name: string): ServerJob & { readonly out: string } {
  const stem = stemOf(name);
  return { snapshot: `${stem}.mcp.json`, out: `${defaultOut}/${stem}`, emit: ["server"] };
}

/** What to write for a new server, whose tools a person writes. */
export const newServer = (name: string): Answers => ({
  config: { servers: [skeletonJob(name)] },
  issuer: null,
  server: name,
});

/**
 * Writes the file of a new server into the folder of the configuration, unless it exists, and generates the server. Returns what was done, and
 * the next steps. `config` is the configuration that has no job for the server; null if it has one.
 */
export async function writeSkeleton(
  name: string,
  directory: string,
  config: string | null,
  context: Context,
): Promise<{ readonly exitCode: ExitCode; readonly advice: string }> {
  const job = skeletonJob(name);
  const text = await filledFile("server.mcp.json", { name: inLiteral(name) });
  const added = await addFile(directory, job.snapshot, text);
  const write = { mode: "write", force: false, clean: false } as const;
  const file = config ?? configNames[0];
  const { exitCode } = await runJobs({ file, directory, config: { servers: [job] } }, write, context);
  const shown = join(relative(context.directory, directory), job.out).replaceAll("\\", "/");
  return {
    exitCode,
    advice: [
      added,
      ...(config === null
        ? []
        : [
            `${config}: exists; add to its "servers":\n  ${JSON.stringify(job, null, 1).replace(/\s+/g, " ")}\n`,
          ]),
      ...(isInstalled(runtimePackage, directory)
        ? []
        : [`install the runtime:           npm install ${runtimePackage}\n`]),
      `write what the server does in  ${shown}/handlers\n`,
      `start it:                      npx tsx ${shown}/main.ts\n`,
      "after a change of its file:    npx mcpgen\n",
    ].join(""),
  };
}
