// The steps of a rehearsal, in a clean clone: each prints one line. The first
// that fails ends it with exit code 1. What only a person can do comes last.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bomOf, checkBom, installAlone } from "./bom.mjs";
import {
  checkChangelog,
  checkLicences,
  checkProvenance,
  checkVersion,
  packagesIn,
} from "./checks.mjs";
import { checkNames, nameState } from "./names.mjs";
import { checkPages, installsBy } from "./pages.mjs";
import { run } from "./program.mjs";
import { toSign } from "./sign.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const [folder] = process.argv.slice(2);
const aside = mkdtempSync(join(tmpdir(), "mcpgen-steps-"));
const manifests = packagesIn(root).map(({ manifest }) => manifest);
const [{ version, repository }] = manifests;
const names = manifests.map(({ name }) => name);

try {
  await rehearse();
} catch (error) {
  console.error(`rehearsal: ${error.message}`);
  process.exitCode = 1;
} finally {
  rmSync(aside, { recursive: true, force: true });
}

async function rehearse() {
  // What is wrong in a file is said before anything takes long.
  const tags = await run("git", ["tag", "--points-at", "HEAD"], { cwd: root });
  console.log(checkVersion(root, tags.stdout.trim().split("\n")));
  const { sentence, isPrepared } = checkChangelog(root);
  console.log(sentence);
  console.log(checkProvenance(root));
  console.log(checkPages(root, version));
  const states = await Promise.all(manifests.map(nameState));
  console.log(checkNames(states, { version, isPrepared, installsBy }));

  await timed(
    "The packages install, generate, compile and run in empty projects",
    () => run("npm", ["run", "test:tarballs", "--", folder], { cwd: root }),
  );
  const tarballs = readdirSync(folder)
    .filter((path) => path.endsWith(".tgz"))
    .map((path) => join(folder, path));
  await checkContents(tarballs);
  for (const tarball of tarballs) await publishDry(tarball);
  console.log(`npm publish --dry-run accepts ${names.join(", ")}.`);
  await timed("The site is built", () =>
    run("npm", ["run", "docs"], { cwd: root }),
  );

  console.log("\nA person must sign:");
  for (const line of toSign({ version, repository, states, isPrepared }))
    console.log(`[ ] ${line}`);
}

/** Licences of what the packages contain, and their list of components. */
async function checkContents(tarballs) {
  const project = join(aside, "mcpgen-release");
  await installAlone(project, version, tarballs);
  const bundled = names.flatMap((name) =>
    checkLicences(join(project, "node_modules", name)),
  );
  console.log(
    `The ${bundled.length} bundled packages bring their licences along.`,
  );
  const bom = await bomOf(project, names);
  const counts = await checkBom(bom, join(root, "test/package"));
  const path = join(folder, `mcpgen-${version}.cdx.json`);
  writeFileSync(path, `${JSON.stringify(bom, null, 2)}\n`);
  console.log(
    `The list of components (CycloneDX ${bom.specVersion}) has ${counts.installed} installed and ${counts.bundled} bundled packages.`,
  );
}

/** What npm would do with a tarball, with the tag of its manifest. */
async function publishDry(tarball) {
  const [{ publishConfig }] = manifests;
  const args = ["publish", tarball, "--dry-run", "--tag", publishConfig.tag];
  const settings = ["--loglevel=notice", "--fetch-retries=0"];
  const { stderr } = await run("npm", [...args, ...settings], { cwd: aside });
  if (!stderr.includes(`with tag ${publishConfig.tag} and public access`))
    throw new Error(
      `npm publish --dry-run ${tarball} does not say "with tag ${publishConfig.tag} and public access". It said last:\n${stderr.trim().split("\n").slice(-5).join("\n")}`,
    );
}

async function timed(sentence, step) {
  const start = performance.now();
  await step();
  console.log(
    `${sentence} (${Math.round((performance.now() - start) / 1000)} s).`,
  );
}
