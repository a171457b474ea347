// How the pages say to install the packages: by their names, or from tarballs
// of a clone until the packages are on npm. The rehearsal of a release checks
// that the pages say what `installsBy` says, and that it fits the registry.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import prettier from "prettier";

/**
 * `"clone"` until the first release. `npm run release -- <version>` writes
 * `"name"` and the pages with it, so that the release itself has them.
 */
export const installsBy = "clone";

/**
 * The badge that leads to the published site, once that is the home page of the
 * packages; nothing before.
 */
export const badgeTo = (homepage) =>
  homepage.endsWith("#readme")
    ? ""
    : `[![Guides: the site](.github/pictures/site.svg)](${homepage}) · `;

const { homepage } = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
);

/** What a page says, with the version that the tarballs of a clone have. */
const wordings = (version) => [
  {
    page: "README.md",
    clone: `Install and run: \`npm i @mcpgen/runtime\` and \`npm i -D mcpgen\`, once the packages (version ${version}) are on npm. Until then, make a new folder beside
the clone \`mcpgen\`, where one of the commands above has run:

\`\`\`sh
npm run pack --prefix ../mcpgen
npm init --yes && npm pkg set type=module
npm install ../mcpgen/mcpgen-runtime-${version}.tgz zod
npm install -D ../mcpgen/mcpgen-${version}.tgz typescript @types/node
`,
    name: `Install and run, in a new folder:

\`\`\`sh
npm init --yes && npm pkg set type=module
npm install @mcpgen/runtime zod
npm install -D mcpgen typescript @types/node
`,
  },
  {
    page: "README.md",
    clone: "browsers · [Playground]",
    name: `browsers · ${badgeTo(homepage)}[Playground]`,
  },
  {
    page: "README.md",
    clone: "a release candidate that is not on npm yet",
    name: "a young package with few users",
  },
  {
    page: "src/runtime/README.md",
    clone: ` Until the packages are on npm,
[install them from a clone](https://github.com/mcpgen/mcpgen#get-started).`,
    name: "",
  },
  {
    page: "test/examples/README.md",
    clone:
      "Until the packages are on npm, [install them from a clone](../../README.md#get-started).\n\n",
    name: "",
  },
  {
    page: "CHANGELOG.md",
    clone:
      "It needs Node.js 20.19 or later, and is not on npm yet: [install it from a clone](README.md#get-started).",
    name: "It needs Node.js 20.19 or later: [install it](README.md#get-started).",
  },
  {
    page: "ROADMAP.md",
    clone: `${version} is not on npm yet; the first work item above`,
    name: "few versions, the first of them a release candidate",
  },
];

/** What a page that installs from a clone says, and no other one. */
const ofClone =
  /not on npm yet|are on npm\b|from a clone\]|\.\.\/mcpgen\/\S+\.tgz/;

/** The pages that say how to install. */
const pages = [...new Set(wordings("").map(({ page }) => page))];

/** The text of a page that installs from a clone, with names in place of it. */
export const byName = (page, text, version) =>
  wordings(version)
    .filter((wording) => wording.page === page)
    .reduce((all, { clone, name }) => all.replace(clone, () => name), text);

/**
 * Every page says what `way` says. Returns a sentence, or throws one that names
 * the page.
 */
export function checkPages(checkout, version, way = installsBy) {
  for (const page of pages) {
    const text = readFileSync(join(checkout, page), "utf8");
    const missing = wordings(version).find(
      (wording) => wording.page === page && !text.includes(wording[way]),
    );
    if (missing !== undefined)
      throw new Error(
        `${page} does not install by ${way}, as installsBy in .ci/release/pages.mjs says. Expected in it: ${JSON.stringify(missing[way])}.`,
      );
    const [left] = (way === "name" && ofClone.exec(text)) || [];
    if (left !== undefined)
      throw new Error(
        `${page} installs from a clone (${JSON.stringify(left)}), but installsBy in .ci/release/pages.mjs says by name.`,
      );
  }
  return `The pages install ${way === "name" ? "by name" : "from a clone, until the packages are on npm"}.`;
}

/** Writes the pages of a checkout, and this file, to install by name. */
export async function installByName(checkout, version) {
  for (const page of pages) {
    const path = join(checkout, page);
    const text = byName(page, readFileSync(path, "utf8"), version);
    const options = await prettier.resolveConfig(path);
    writeFileSync(
      path,
      await prettier.format(text, { ...options, filepath: path }),
    );
  }
  const here = join(checkout, ".ci/release/pages.mjs");
  const text = readFileSync(here, "utf8");
  writeFileSync(
    here,
    text.replace('installsBy = "clone"', 'installsBy = "name"'),
  );
}

/** The files that `installByName` may change. */
export const switched = [...pages, ".ci/release/pages.mjs"];
