// The guides as a reader follows them: the commands of test/examples/README.md
// in an empty folder, with the packed packages, and then each program of each
// guide as its page says.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const examples = fileURLToPath(new URL("../examples", import.meta.url));
const blocks = (text, language) =>
  [
    ...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "gm")),
  ].map(([, block]) => block);

/**
 * Makes a project in this folder and runs all guides there. Throws if a program
 * prints something else than its page.
 */
export async function runGuides(folder, tarballs) {
  const [commands] = blocks(
    readFileSync(join(examples, "README.md"), "utf8"),
    "sh",
  );
  execFileSync("sh", ["-ec", withTarballs(commands, tarballs)], {
    cwd: folder,
    stdio: "inherit",
  });
  const project = join(folder, "example");
  const folders = readdirSync(examples, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory(),
  );
  for (const { name } of folders) {
    const files = readdirSync(join(examples, name));
    const page = files.includes("README.md")
      ? readFileSync(join(examples, name, "README.md"), "utf8")
      : "";
    // A page that names packages is tested with them by
    // `npm run test:adapters`.
    if (
      !page.includes("\n**Revisions**: ") ||
      page.includes("\n**Packages**: ")
    )
      continue;
    for (const file of files)
      cpSync(join(examples, name, file), join(project, file), {
        recursive: true,
      });
    await runGuide(withTarballs(page, tarballs), project);
    for (const file of files) rmSync(join(project, file), { recursive: true });
    console.log(`the guide "${name}" prints what it says`);
  }
}

/**
 * The packed packages in place of their names in commands that install them.
 */
const withTarballs = (text, [generator, runtime]) =>
  text
    .replace(/(npm install.*) mcpgen\b/g, `$1 ${generator}`)
    .replace(/(npm install.*) @mcpgen\/runtime\b/g, `$1 ${runtime}`);

async function runGuide(page, project) {
  const commands = blocks(page, "sh").flatMap((block) =>
    block.trim().split("\n"),
  );
  // A server stands in a block of its own, or in a sentence: Start
  // `npx tsx server.ts` …
  const started = [...page.matchAll(/`(npx tsx [\w-]*server\.ts)`/g)].map(
    ([, command]) => command,
  );
  const servers = [
    ...new Set([
      ...commands.filter((command) => command.endsWith("server.ts")),
      ...started,
    ]),
  ];
  for (const command of commands)
    if (!servers.includes(command)) run(["sh", "-ec", command], project);
  const running = servers.map((command) => {
    const [npx, ...args] = command.split(" ");
    return spawn(npx, args, { cwd: project, stdio: "inherit", detached: true });
  });
  try {
    if (running.length > 0) await listens();
    for (const [file, output] of outputs(page)) {
      const printed = run(["npx", "tsx", file], project);
      if (printed !== output)
        throw new Error(
          `${file} printed:\n${printed}The page says:\n${output}`,
        );
    }
  } finally {
    for (const { pid } of running) process.kill(-pid);
  }
}

/** What each program of a page prints. */
function outputs(page) {
  const all = new Map();
  let last;
  for (const [, language, text] of page.matchAll(/^```(\w+)\n([^]*?)^```$/gm)) {
    if (language === "ts")
      last = /^\/\/ ([\w-]+\.ts)\n/.exec(text)?.[1] ?? last;
    if (language === "text" && last !== undefined)
      all.set(last, (all.get(last) ?? "") + text);
  }
  return all;
}

async function listens() {
  for (let tries = 0; ; tries++) {
    const answer = await fetch("http://127.0.0.1:3000/mcp").catch(
      (error) => error,
    );
    if (answer instanceof Response) return;
    if (tries === 100)
      throw new Error("The server of the guide does not listen.", {
        cause: answer,
      });
    await pause(200);
  }
}

function run([command, ...args], cwd) {
  return execFileSync(command, args, {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
}
