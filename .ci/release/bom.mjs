// The components of a release as CycloneDX: what `npm install` of its packages
// installs, by npm, and what the build has put into their files, by the build.
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { bundledIn, checkLicence } from "./checks.mjs";
import { run } from "./program.mjs";

/** Installs the tarballs in an empty project. */
export async function installAlone(project, version, tarballs) {
  mkdirSync(project);
  const manifest = { name: "mcpgen-release", version, private: true };
  writeFileSync(join(project, "package.json"), JSON.stringify(manifest));
  const quiet = [
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--prefer-offline",
  ];
  await run("npm", ["install", ...quiet, ...tarballs], { cwd: project });
}

/** The list of components of a project with the packages. */
export async function bomOf(project, names) {
  const args = ["sbom", "--sbom-format=cyclonedx", "--omit=dev"];
  const { stdout } = await run("npm", args, { cwd: project });
  const bom = JSON.parse(stdout);
  const components = bom.components.map((component) => {
    const bundled = names.includes(component.name)
      ? bundledIn(join(project, "node_modules", component.name))
      : [];
    return withBundled(withoutFiles(component), bundled);
  });
  const missing = names.find(
    (name) => !components.some((one) => one.name === name),
  );
  if (missing !== undefined)
    throw new Error(
      `The list of components has no ${missing}, which is installed in ${project}.`,
    );
  return { ...bom, components };
}

/** A component without the paths of this machine. */
function withoutFiles({ properties = [], externalReferences = [], ...rest }) {
  return {
    ...rest,
    properties: properties.filter(
      ({ name }) => name !== "cdx:npm:package:path",
    ),
    externalReferences: externalReferences.filter(
      ({ url }) => !url.startsWith("file:"),
    ),
  };
}

/** A component with what is in its files, as components of its own. */
function withBundled(component, bundled) {
  if (bundled.length === 0) return component;
  const components = bundled.map(({ name, version, licence }) => ({
    "bom-ref": `${component["bom-ref"]}|${name}@${version}`,
    type: "library",
    name,
    version,
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    licenses: [{ license: { id: licence } }],
  }));
  return { ...component, components };
}

/**
 * Checks a list of components by the schema of its format, which the library of
 * CycloneDX has in `folder`, and that each component has a licence that is
 * decided on. Returns how many there are, installed and bundled.
 */
export async function checkBom(bom, folder) {
  const load = createRequire(join(folder, "package.json"));
  const { Validation } = load("@cyclonedx/cyclonedx-library");
  const validator = new Validation.JsonStrictValidator(bom.specVersion);
  const fault = await validator.validate(JSON.stringify(bom));
  if (fault !== null)
    throw new Error(
      `The list of components is not CycloneDX ${bom.specVersion}: ${JSON.stringify(fault).slice(0, 400)}.`,
    );
  for (const { name, licenses = [] } of bom.components) {
    const found = licenses.map(
      ({ license, expression }) => license?.id ?? license?.name ?? expression,
    );
    checkLicence(
      name,
      found.join(" and ") || "none",
      "is installed with the packages",
    );
  }
  const bundled = bom.components.flatMap(({ components = [] }) => components);
  return { installed: bom.components.length, bundled: bundled.length };
}
