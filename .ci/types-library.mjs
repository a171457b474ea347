// json-schema-to-typescript as part of the program. What it needs only to format, to follow references and to read YAML is
// left out: the program asks for none of it, and loading it took longer than printing the types of a hundred tools.

/** The functions of lodash that the library uses: each is a module of its own. */
const lodash = [
  "cloneDeep",
  "deburr",
  "endsWith",
  "includes",
  "isPlainObject",
  "map",
  "merge",
  "omit",
  "trim",
  "uniqBy",
  "upperFirst",
];

const modules = {
  lodash: `module.exports = { ${lodash.map((name) => `${name}: require("lodash/${name}")`).join(", ")} };`,
  // Called with `format: true` alone.
  prettier: "",
  // The schemas hold no `$ref`, so each is what it refers to.
  "@apidevtools/json-schema-ref-parser":
    "exports.$RefParser = class { async dereference(_folder, schema) { return schema; } };",
  // An import, because a module of Node's has no `require`.
  ...Object.fromEntries(["fs", "path", "util"].map((name) => [name, `export * from "node:${name}";`])),
  // Its schema of YAML is made when the library is loaded.
  "js-yaml": "exports.CORE_SCHEMA = { withTags: () => null };",
};

export const typesLibrary = {
  name: "types library",
  setup(builder) {
    const filter = new RegExp(`^(${Object.keys(modules).join("|")})$`);
    builder.onResolve({ filter }, ({ path, importer }) => {
      if (!/[\\/]json-schema-to-typescript[\\/]/.test(importer)) return undefined;
      return { path, namespace: "types-library" };
    });
    builder.onLoad({ filter: /.*/, namespace: "types-library" }, ({ path }) => {
      return { contents: modules[path], resolveDir: import.meta.dirname };
    });
  },
};

/** What the library would print its steps for. */
export const typesLibraryDefine = { "process.env.VERBOSE": "undefined" };
