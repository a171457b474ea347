// The site of the project, for VitePress: its pages are the README.md files,
// those of mcpgen docs in protocol/, and api/, which typedoc.config.mjs writes.
import { execFileSync } from "node:child_process";
import {
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, posix } from "node:path";
import { markdown, placeOf, root } from "../pages.mjs";
import { miniSearch, searchedText } from "../search.mjs";

/**
 * What axe finds in the theme: a name of a language with little contrast, and a
 * button whose label leaves its key out. And long lines of programs, which would
 * end outside of a narrow screen, go on below.
 */
const style =
  "html:root { --vp-code-lang-color: var(--vp-c-text-2) } html .DocSearch-Button .DocSearch-Button-Keys { display: none } html .vp-doc .language-ts code { white-space: pre-wrap; overflow-wrap: anywhere } @media (max-width: 640px) { html .vp-doc .language-ts code { font-size: 12px; line-height: 18px } }";
const read = (path) => readFileSync(join(root, path), "utf8");
const { description } = JSON.parse(read("package.json"));
const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) =>
    path.replaceAll("\\", "/"),
  );

/**
 * An entry of the navigation, which has the title of the page if it gets no
 * shorter text. VitePress shows its text as HTML.
 */
function entryOf(path, short) {
  const [, title] = /^# (.+)$/m.exec(read(path));
  const text = (short ?? title)
    .replace(/[`\\]/g, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;");
  const link = placeOf(path)
    .replace(/index\.md$/, "")
    .replace(/\.md$/, ".html");
  return { text, title, link: `/${link}` };
}

/** The parts of the list of guides that name pages, each with its pages. */
function guides() {
  const index = "test/examples/README.md";
  const parts = read(index)
    .split(/^## /m)
    .map((part) => {
      const links = [...part.matchAll(/\[([^\]]+)\]\(([^)#]+README\.md)\)/g)];
      const textOf = new Map(
        links.map(([, text, path]) => [
          posix.join(posix.dirname(index), path),
          text,
        ]),
      );
      textOf.delete("README.md");
      const items = [...textOf].map(([path, text]) => entryOf(path, text));
      return { text: part.split("\n")[0], items };
    });
  return [entryOf(index), ...parts.filter(({ items }) => items.length > 0)];
}

const addOns = [
  "features",
  "tasks",
  "apps",
  "skills",
  "cluster",
  "telemetry",
  "code",
  "sse",
  "websocket",
];
const addOnCommands = readdirSync(join(root, "src/commands"));
const commands = ["src/cli/commands", "src/commands"]
  .flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => [
      `${folder}/${name}/README.md`,
      name,
    ]),
  )
  .sort(([, a], [, b]) => (a < b ? -1 : 1))
  .filter(([path]) => existsSync(join(root, path)));
const reference = [
  ["src/cli/README.md", "Command line"],
  ...addOnCommands
    .map((name) => [`src/commands/${name}/INSIDE.md`, name])
    .filter(([path]) => existsSync(join(root, path))),
  ["src/runtime/README.md", "Runtime"],
  ["src/runtime/core/transport/http-client/INSIDE.md", "http-client"],
  ...addOns.map((name) => [`src/runtime/${name}/README.md`, name]),
  ["src/auth/README.md", "Authorization"],
  ["templates/README.md", "Generated files"],
  ["schema/README.md", "Schemas"],
];
const project = [
  ["CHANGELOG.md", "Changes"],
  ["SECURITY.md", "Security"],
  ["ROADMAP.md", "Roadmap"],
  ["CONTRIBUTING.md", "Contributing"],
  ["src/README.md", "Architecture"],
  ["test/README.md", "Tests"],
];
const api = filesIn(join(root, "api"))
  .filter((path) => path.endsWith(".md"))
  .map((path) => `api/${path}`)
  .sort();
const sidebar = [
  {
    text: "Get started",
    title: "Get started",
    link: "/#get-started",
  },
  { text: "Guides", items: guides() },
  {
    text: "Commands",
    items: commands.map(([path, text]) => entryOf(path, text)),
  },
  {
    text: "Reference",
    items: reference.map(([path, text]) => entryOf(path, text)),
  },
  { text: "API", items: api.map((path) => entryOf(path)) },
  {
    text: "Project",
    items: project.map(([path, text]) => entryOf(path, text)),
  },
];
const revisions = readdirSync(join(root, "schema")).filter((name) =>
  /^\d/.test(name),
);
for (const name of revisions) {
  const args = [
    "docs",
    name,
    "--out",
    join(root, "protocol", name),
    "--force",
    "--quiet",
  ];
  execFileSync(process.execPath, [join(root, "dist/cli.js"), ...args], {
    stdio: "inherit",
  });
}
const protocol = {
  text: "Protocol",
  items: revisions
    .toReversed()
    .map((name) => entryOf(`protocol/${name}/README.md`)),
};

/**
 * What the search finds: no changes of the past, and of the protocol the newest
 * revision.
 */
function renderForSearch(text, env, md) {
  const { relativePath } = env;
  const isOld =
    relativePath.startsWith("protocol/") &&
    !relativePath.includes(revisions.at(-1));
  return isOld || /^(?:project\/)?changelog\.md$/i.test(relativePath)
    ? ""
    : md.render(searchedText(text), env);
}

/** The list of the pages for language models. */
function llms(base) {
  const linesOf = ({ text, title, link, items }) =>
    link
      ? [`- [${title}](${base}${link.slice(1)})`]
      : ["", `## ${text}`, "", ...items.flatMap(linesOf)];
  return [
    "# mcpgen",
    "",
    `> ${description}`,
    ...[...sidebar, protocol].flatMap(linesOf),
    "",
  ].join("\n");
}

/**
 * The links of a page to files or headings of the site that do not exist.
 * VitePress looks for pages only.
 */
function brokenLinks(page, folder, base) {
  const text = readFileSync(join(folder, page), "utf8").replace(
    /<script[^]*?<\/script>/g,
    "",
  );
  const hrefs = [...text.matchAll(/<a\b[^>]*? href="([^"]*)"/g)].map(
    ([, href]) => href.replaceAll("&amp;", "&"),
  );
  return [...new Set(hrefs)]
    .filter((href) => !/^[a-z]+:/i.test(href))
    .filter((href) => {
      const { pathname, hash } = new URL(href, `https://host${base}${page}`);
      if (!pathname.startsWith(base)) return true;
      const target = join(
        folder,
        decodeURI(pathname.slice(base.length)).replace(
          /(?<=^|\/)$/,
          "index.html",
        ),
      );
      if (!existsSync(target) || !statSync(target).isFile()) return true;
      return (
        hash !== "" &&
        !readFileSync(target, "utf8").includes(
          `id="${decodeURIComponent(hash.slice(1))}"`,
        )
      );
    })
    .map((href) => `${page} links to ${href}, which does not exist`);
}

export default {
  title: "mcpgen",
  description,
  head: [["style", {}, style]],
  srcDir: root,
  outDir: join(root, "site"),
  cacheDir: join(root, ".ci/docs/node_modules/.cache"),
  // Pages have names without small letters, except those of the API.
  srcExclude: [
    "!(api)/**/*[a-z]*.md",
    "test/!(examples)/**/*.md",
    "test/examples/*/*/**",
    // A page that `mcpgen init` writes.
    "templates/init/**",
  ],
  rewrites: placeOf,
  markdown,
  vite: {
    // The index of the search is large.
    build: { chunkSizeWarningLimit: 5000 },
    resolve: {
      alias: { "node:crypto": join(root, ".ci/docs/playground/digest.mjs") },
    },
    worker: { format: "es" },
  },
  themeConfig: {
    nav: [
      { text: "Guides", link: "/guides/" },
      entryOf("test/examples/playground/README.md", "Playground"),
      { text: "Command line", link: "/reference/cli/" },
      { text: "API", link: "/api/" },
      protocol,
    ],
    sidebar,
    outline: [2, 3],
    search: {
      provider: "local",
      options: { _render: renderForSearch, miniSearch },
    },
    socialLinks: [{ icon: "github", link: "https://github.com/mcpgen/mcpgen" }],
  },
  buildEnd({ outDir, site: { base } }) {
    writeFileSync(join(outDir, "llms.txt"), llms(base));
    const pages = filesIn(outDir).filter((path) => path.endsWith(".html"));
    const broken = pages.flatMap((page) => brokenLinks(page, outDir, base));
    if (broken.length > 0) throw new Error(broken.join("\n"));
    console.log(`${outDir}: ${pages.length} pages without a broken link`);
  },
};
