// The API of the packages as Markdown in api/, from the comments of their
// entries.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Converter, ReflectionKind } from "typedoc";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The sources of the entries of a package that have types. */
function entriesOf(folder, manifest) {
  const { exports } = JSON.parse(readFileSync(join(root, manifest), "utf8"));
  return Object.values(exports)
    .filter(({ types }) => types)
    .map(({ types }) =>
      join(
        root,
        types
          .replace(/^\.\/dist(\/types\/\w+)?/, folder)
          .replace(/\.d\.ts$/, ".ts"),
      ),
    );
}

/** Names a module as a program imports it. */
function nameModules(app) {
  app.converter.on(
    Converter.EVENT_CREATE_DECLARATION,
    (_context, declaration) => {
      if (!declaration.kindOf(ReflectionKind.Module)) return;
      declaration.name = declaration.name
        .replace(/^src\/(runtime|auth)/, "@mcpgen/$1")
        .replace(/^src(\/generator)?\b/, "mcpgen");
    },
  );
}

export default {
  name: "API",
  basePath: root,
  tsconfig: join(root, "tsconfig.json"),
  entryPoints: [
    ...entriesOf("src", "package.json"),
    ...entriesOf("src/runtime", "src/runtime/package.json"),
    ...entriesOf("src/auth", "src/auth/package.json"),
  ],
  plugin: ["typedoc-plugin-markdown", nameModules],
  out: join(root, "api"),
  router: "module",
  entryFileName: "index",
  readme: "none",
  sanitizeComments: true,
  useHTMLAnchors: true,
  parametersFormat: "table",
  hideBreadcrumbs: true,
  hidePageHeader: true,
  excludePrivate: true,
  excludeInternal: true,
  skipErrorChecking: true,
  disableSources: true,
  validation: { invalidLink: true, notExported: false, notDocumented: false },
  treatWarningsAsErrors: true,
};
