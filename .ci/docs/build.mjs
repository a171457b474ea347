// npm run docs [-- folder]: writes the site of the project, to site/ by default: the pages and the guides, the API of the packages
// from their comments, and a page for each bundled revision. Fails if a link of a page leads nowhere.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, posix, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Application, Converter, ReflectionKind } from "typedoc";

const root = fileURLToPath(new URL("../..", import.meta.url));
const site = resolve(process.argv[2] ?? join(root, "site"));
/** Stands for the root of the site, because TypeDoc knows no links that start there. */
const home = "https://site.invalid/";

const readJson = (path) => JSON.parse(readFileSync(join(root, path), "utf8"));
/** The sources of the entries of the packages that have types. */
const entryPoints = ["src", "src/runtime", "src/auth"].flatMap((folder) => {
  const { exports } = readJson(folder === "src" ? "package.json" : `${folder}/package.json`);
  const scripts = Object.values(exports).flatMap((entry) => (entry.types ? [entry.default] : []));
  return scripts.map((path) => path.replace("./dist", folder).replace(/\.js$/, ".ts"));
});
const revisions = readdirSync(join(root, "schema")).filter((name) => /^\d/.test(name));
const pagesIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith("README.md") && !/(^|[\\/])(node_modules|dist)[\\/]/.test(path))
    .map((path) => posix.join(folder, path.replaceAll("\\", "/")));
const documents = [
  ...["test/examples", "src", "templates", "schema"].flatMap(pagesIn),
  "test/README.md",
  "CONTRIBUTING.md",
  "ROADMAP.md",
  "SECURITY.md",
  "CHANGELOG.md",
];

rmSync(site, { recursive: true, force: true });
await writeApi();
for (const revision of revisions) {
  const args = ["dist/cli.js", "docs", revision, "--out", join(site, "protocol", revision), "--quiet"];
  execFileSync(process.execPath, args, { cwd: root, stdio: "inherit" });
}
const pages = readdirSync(site, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".html"))
  .map((path) => path.replaceAll("\\", "/"));
for (const page of pages) resolveHome(page);
const broken = pages.flatMap(brokenLinks);
for (const link of broken) console.error(`docs: ${link}`);
if (broken.length > 0) process.exitCode = 1;
else console.log(`${relative(process.cwd(), site)}: ${pages.length} pages without a broken link`);

async function writeApi() {
  const app = await Application.bootstrap({
    name: "mcpgen",
    basePath: root,
    tsconfig: join(root, "tsconfig.json"),
    entryPoints: entryPoints.map((path) => join(root, path)),
    projectDocuments: documents.map((path) => join(root, path)),
    readme: join(root, "README.md"),
    out: site,
    customCss: fileURLToPath(new URL("site.css", import.meta.url)),
    excludePrivate: true,
    excludeInternal: true,
    skipErrorChecking: true,
    disableSources: true,
    hideGenerator: true,
    treatWarningsAsErrors: false,
    validation: { invalidLink: true, notExported: false, notDocumented: false },
    navigation: { includeGroups: true },
    groupOrder: ["Guides", "Reference", "Modules", "Project"],
    sidebarLinks: Object.fromEntries(
      revisions.toReversed().map((name) => [`Protocol ${name}`, `${home}protocol/${name}/index.html`]),
    ),
  });
  const groups = new Map(
    documents.map((path) => [titleOf(readFileSync(join(root, path), "utf8")), groupOf(path)]),
  );
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, document) => {
    document.name = titleOf(document.content.map(({ text }) => text).join(""));
    document.frontmatter.group = groups.get(document.name);
  });
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (_context, declaration) => {
    if (!declaration.kindOf(ReflectionKind.Module)) return;
    declaration.name = declaration.name
      .replace(/^src\/runtime/, "@mcpgen/runtime")
      .replace(/^src\b/, "mcpgen");
  });
  const project = await app.convert();
  if (project === undefined) throw new Error("TypeDoc could not read the entries of the packages.");
  // The site has the name of the project as its title already.
  const [first] = project.readme ?? [];
  if (first?.kind === "text") first.text = first.text.replace(/^# .+\n/, "");
  await app.generateOutputs(project);
}

/** The first heading of a page. */
function titleOf(text) {
  const [, title = ""] = /^# (.+)$/m.exec(text) ?? [];
  return title.replaceAll("`", "");
}

/** The group of a page in the navigation. */
function groupOf(path) {
  if (path.startsWith("test/examples/")) return "Guides";
  return /^(src\/(cli|runtime)|schema|templates)\//.test(path) ? "Reference" : "Project";
}

function resolveHome(page) {
  const file = join(site, page);
  const text = readFileSync(file, "utf8");
  const up = posix.relative(posix.dirname(page), "") || ".";
  if (text.includes(home)) writeFileSync(file, text.replaceAll(home, `${up}/`));
}

/** The links of a page to files or headings of the site that do not exist. */
function brokenLinks(page) {
  const text = readFileSync(join(site, page), "utf8").replace(/<script[^]*?<\/script>/g, "");
  const links = [...text.matchAll(/<a\b[^>]*? href="([^"]*)"/g)].map(([, href]) =>
    href.replaceAll("&amp;", "&"),
  );
  return [...new Set(links)]
    .filter((href) => href !== "" && !/^[a-z]+:/i.test(href))
    .filter((href) => {
      const [path, anchor] = href.split("#");
      // A web server answers for a folder with its index.
      const file = decodeURIComponent(path).replace(/\/$/, "/index.html");
      const target = path === "" ? join(site, page) : join(site, dirname(page), file);
      if (!existsSync(target) || !statSync(target).isFile()) return true;
      if (anchor === undefined || anchor === "") return false;
      return !readFileSync(target, "utf8").includes(`id="${decodeURIComponent(anchor)}"`);
    })
    .map((href) => `${page} links to ${href}, which does not exist`);
}
