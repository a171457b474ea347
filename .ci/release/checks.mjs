// What must hold in a checkout before its packages are published. Each check
// returns what it found as a sentence, or throws one that says what to do.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parse } from "yaml";

/**
 * Licences that ask for nothing but their text beside the code. What has
 * another one is not bundled or installed without a decision of a maintainer.
 */
const licences = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
]);

const read = (...path) => readFileSync(join(...path), "utf8");
const readJson = (...path) => JSON.parse(read(...path));

/** The packages of a checkout: the folder and the manifest of each. */
export function packagesIn(checkout) {
  const { workspaces } = readJson(checkout, "package.json");
  return [".", ...workspaces].map((folder) => {
    const path = posix.join(folder, "package.json");
    return { folder, path, manifest: readJson(checkout, path) };
  });
}

/**
 * The tag of the registry that a version gets. A tag such as `v1`, which the
 * branch of an old line has, stays.
 */
export function distTag(version, before) {
  const isOwn = before !== undefined && !["latest", "next"].includes(before);
  if (isOwn) return before;
  return version.includes("-") ? "next" : "latest";
}

/**
 * All packages, the lock file and `generated/` have one version, and the tags
 * of the commit that begin like one of a release are its tag.
 */
export function checkVersion(checkout, tags = []) {
  const [{ manifest: first }, ...others] = packagesIn(checkout);
  const { version } = first;
  const lock = readJson(checkout, "package-lock.json");
  const { generator } = readJson(checkout, "generated/.mcpgen.json");
  const found = [
    ...others.map(({ path, manifest }) => [path, manifest.version]),
    ["package-lock.json", lock.version],
    ...packagesIn(checkout).map(({ folder }) => {
      const row = folder === "." ? "" : folder;
      return [
        `package-lock.json, packages[${JSON.stringify(row)}]`,
        lock.packages[row]?.version,
      ];
    }),
    ["generated/.mcpgen.json", generator.replace(/^mcpgen /, "")],
    ...tags
      .filter((tag) => /^v\d/.test(tag))
      .map((tag) => ["the tag of the commit", tag.slice(1)]),
  ];
  for (const [place, other] of found)
    if (other !== version)
      throw new Error(
        `${place} has the version ${other}, and package.json has ${version}. npm run release -- <version> sets all of them.`,
      );
  return `All packages have the version ${version}.`;
}

/**
 * The page has a section about the version, which says something, and nothing
 * that came after it. `isPrepared` is true if the section has its date.
 */
export function checkChangelog(checkout) {
  const { version } = readJson(checkout, "package.json");
  const sections = read(checkout, "CHANGELOG.md")
    .split(/^(?=## )/m)
    .map((section) => {
      const end = section.indexOf("\n");
      return { title: section.slice(0, end), text: section.slice(end).trim() };
    });
  const textOf = ({ text } = { text: "" }) => text;
  const isOf = ({ title }) =>
    title === `## ${version}` || title.startsWith(`## ${version} (`);
  const section = sections.find(isOf);
  if (textOf(section) === "")
    throw new Error(
      `CHANGELOG.md says nothing about ${version}. Write what it contains under "## Unreleased", and run npm run release -- ${version}.`,
    );
  const isPrepared = section.title.endsWith(")");
  const unreleased = textOf(
    sections.find(({ title }) => title === "## Unreleased"),
  );
  if (isPrepared && unreleased !== "")
    throw new Error(
      `CHANGELOG.md has rows under "## Unreleased", but ${version} is released already: it has a date. Run npm run release with a higher version.`,
    );
  const sentence = `CHANGELOG.md describes ${version}${isPrepared ? "" : ", which is not dated yet"}.`;
  return { sentence, isPrepared };
}

/**
 * What the registry compares with the workflow that publishes: the repository
 * of each package, and the identity of the one job that publishes.
 */
export function checkProvenance(checkout) {
  const packages = packagesIn(checkout);
  const [{ manifest: first }] = packages;
  const url = String(first.repository?.url);
  const [, page] =
    /^git\+(https:\/\/github\.com\/[\w.-]+\/[\w.-]+)\.git$/.exec(url) ?? [];
  if (page === undefined)
    throw new Error(
      `package.json has the repository ${url}, expected git+https://github.com/<owner>/<name>.git: the registry compares it with the workflow.`,
    );
  for (const { folder, path, manifest } of packages) {
    const { repository, homepage, bugs, publishConfig, version } = manifest;
    const tag = distTag(version, publishConfig?.tag);
    const rows = [
      ["repository.url", repository?.url, url],
      [
        "repository.directory",
        repository?.directory,
        folder === "." ? undefined : folder,
      ],
      ["homepage", homepage, `${page}#readme`],
      ["bugs", bugs, `${page}/issues`],
      ["publishConfig.access", publishConfig?.access, "public"],
      ["publishConfig.provenance", publishConfig?.provenance, true],
      ["publishConfig.tag", publishConfig?.tag, tag],
    ];
    for (const [member, found, expected] of rows)
      if (found !== expected)
        throw new Error(
          `${path} has ${member} ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}.`,
        );
  }
  checkWorkflow(read(checkout, ".github/workflows/publish.yml"));
  return `The provenance names ${page.slice("https://".length)}, and one job may publish.`;
}

function checkWorkflow(text) {
  const place = ".github/workflows/publish.yml";
  const publishing = Object.entries(parse(text).jobs).filter(
    ([, { steps = [] }]) =>
      steps.some(({ run = "" }) => /\bnpm publish\b/.test(run)),
  );
  if (publishing.length !== 1)
    throw new Error(
      `${place} has ${publishing.length} jobs that publish, expected one.`,
    );
  const [[name, { permissions = {}, environment }]] = publishing;
  if (permissions["id-token"] !== "write")
    throw new Error(
      `The job ${name} of ${place} publishes without the permission "id-token: write", which the provenance is signed with. Add it.`,
    );
  if (environment !== "release")
    throw new Error(
      `The job ${name} of ${place} is not in the environment release, whose reviewers approve a release. Add environment: release.`,
    );
}

/**
 * The packages that are part of the files of a built package, as its build
 * noted: name, version, licence and the text of the licence.
 */
export function bundledIn(folder) {
  const path = join(folder, "dist/LICENSES.txt");
  if (!existsSync(path)) return [];
  const [, ...parts] = read(path).split(`\n${"-".repeat(80)}\n\n`);
  return parts.map((part) => {
    const [, name, version, licence, text] =
      /^(\S+) (\S+) \((.*)\)\n([^]*)$/.exec(part) ?? [];
    if (name === undefined)
      throw new Error(
        `${path} has a part that names no package: ${part.slice(0, 80)}`,
      );
    return { name, version, licence, text: text.trim() };
  });
}

/**
 * Everything that an installed package contains of others has a licence that
 * allows it, and brings its text along.
 */
export function checkLicences(folder) {
  const { name, license } = readJson(folder, "package.json");
  if (license !== "MIT" || !existsSync(join(folder, "LICENSE")))
    throw new Error(
      `${name} has the licence ${license} and ${existsSync(join(folder, "LICENSE")) ? "a" : "no"} file LICENSE, expected MIT with the file.`,
    );
  const bundled = bundledIn(folder);
  for (const one of bundled) {
    checkLicence(one.name, one.licence, `is bundled in ${name}`);
    if (!/copyright|permission/i.test(one.text))
      throw new Error(
        `${one.name} is bundled in ${name} without the text of its licence. dist/LICENSES.txt must have it.`,
      );
  }
  const listed = new Set(bundled.map((one) => one.name));
  for (const [other, map] of foreignSources(folder))
    if (!listed.has(other))
      throw new Error(
        `${other} is bundled in ${name} (${map}), but dist/LICENSES.txt does not list it.`,
      );
  return bundled;
}

/** Throws unless a licence is one that a maintainer has decided on. */
export function checkLicence(name, licence, what) {
  if (!licences.has(licence))
    throw new Error(
      `${name} ${what} and has the licence ${licence}, expected one of ${[...licences].join(", ")}. Replace the package, or decide on the licence and add it in .ci/release/checks.mjs.`,
    );
}

/** The packages whose sources are in the source maps of a package. */
function foreignSources(folder) {
  const maps = readdirSync(join(folder, "dist"), { recursive: true }).filter(
    (path) => path.endsWith(".js.map"),
  );
  return maps.flatMap((path) =>
    readJson(folder, "dist", path).sources.flatMap((source) => {
      const [, other] =
        /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(
          source,
        ) ?? [];
      return other === undefined ? [] : [[other, `dist/${path}`]];
    }),
  );
}
