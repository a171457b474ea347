// Ways of a user through several pages: the commands that pages and commands
// print, in an empty folder, with the packed packages in place of their names.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { pack } from "../package/tarball.ts";
import { root } from "../repository.ts";

const run = promisify(execFile);

/** A folder for the ways of one file, and the tarballs in it. */
export async function begin() {
  const folder = mkdtempSync(join(tmpdir(), "mcpgen-ways-"));
  const tarballs = await pack(folder);
  return { folder, tarballs, end: () => rmSync(folder, { recursive: true }) };
}

/**
 * A shell in a new, empty folder. `packages` are the tarballs by name, and
 * `program` the Node.js to use.
 */
export function shellIn(folder, packages, program = process.execPath) {
  mkdirSync(folder, { recursive: true });
  const env = {
    PATH: [dirname(program), process.env.PATH].join(delimiter),
    HOME: process.env.HOME,
    npm_config_audit: "false",
    npm_config_fund: "false",
  };
  return {
    folder,
    /** Runs a line as it is printed. Returns what it prints and its code. */
    async run(line, more = {}) {
      const options = { cwd: folder, env: { ...env, ...more } };
      const text = line.startsWith("npm install")
        ? withTarballs(line, packages)
        : line;
      try {
        const { stdout, stderr } = await run("sh", ["-ec", text], options);
        return { code: 0, out: stdout, err: stderr };
      } catch ({ code, stdout, stderr }) {
        return { code, out: stdout, err: stderr };
      }
    },
    /** Runs lines, which must succeed. Returns what the last one prints. */
    async pass(...lines) {
      let ended;
      for (const line of lines) {
        ended = await this.run(line);
        if (ended.code !== 0)
          throw new Error(`${line}: ${ended.out}${ended.err}`);
      }
      return ended;
    },
    /** Starts a line, and resolves once its standard error has the text. */
    async start(words, text, more = {}, place = folder) {
      const [command, ...args] = words;
      const child = spawn(command, args, {
        cwd: place,
        env: { ...env, ...more },
        stdio: ["ignore", "ignore", "pipe"],
        detached: true,
      });
      let err = "";
      child.stderr.on("data", (chunk) => (err += chunk));
      const ended = once(child, "exit");
      while (!err.includes(text)) {
        const failed = await Promise.race([ended, once(child.stderr, "data")]);
        if (failed.length === 2)
          throw new Error(`${words.join(" ")} ended: ${err}`);
      }
      return {
        printed: () => err,
        async stop() {
          process.kill(-child.pid, "SIGTERM");
          return (await ended)[0];
        },
      };
    },
  };
}

/**
 * The line of a page that is, or has as code, a command whose text the pattern
 * matches, without its comment.
 */
export function printed(page, pattern) {
  const text = readFileSync(join(root, page), "utf8");
  const command = new RegExp(`(?:^|\`)(${pattern}.*?)(?: +#.*|\`.*|$)`, "m");
  const [, line] = command.exec(text) ?? [];
  if (line === undefined) throw new Error(`${page} has no ${pattern}.`);
  return line;
}

/** The rest of the line that mcpgen prints after some words. */
export const stepAfter = (words, text) =>
  new RegExp(`^${words}: +(.+?)(?:   .*)?$`, "m").exec(text)[1];

/** The line with tarballs in place of the names of our packages. */
const withTarballs = (line, packages) =>
  line.replace(
    /(?<= )(?:@mcpgen\/\w+|mcpgen)(?= |$)/g,
    (name) => packages.get(name) ?? name,
  );

/** What the Dockerfile runs and copies, by stage. */
export function stagesOf(dockerfile) {
  return dockerfile
    .split(/^FROM .*$/m)
    .slice(1)
    .map((stage) => {
      const valuesOf = (word) =>
        [...stage.matchAll(new RegExp(`^${word} (.+)$`, "gm"))].map(
          ([, value]) => value,
        );
      return {
        copies: valuesOf("COPY").map((value) => value.split(" ")),
        runs: valuesOf("RUN"),
        env: Object.fromEntries(
          valuesOf("ENV").flatMap((value) =>
            value.split(" ").map((pair) => pair.split("=")),
          ),
        ),
        command: JSON.parse(valuesOf("CMD")[0] ?? "null"),
      };
    });
}
