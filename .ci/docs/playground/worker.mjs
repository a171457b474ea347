// The generator of mcpgen in a Web Worker: for a text, it returns what the
// command line writes and prints.
import { visible } from "../../../src/cli/terminal.ts";
import {
  Diagnostics,
  formatDiagnostic,
  withHintsOnce,
} from "../../../src/generator/diagnostics.ts";
import { supportFolder } from "../../../src/generator/emit/support.ts";
import { converterFor } from "../../../src/commands/convert/tools.ts";
import { lint, summary } from "../../../src/commands/lint/lint.ts";
import {
  defaultProviders,
  providers,
} from "../../../src/commands/lint/providers.ts";
import {
  latestOf,
  clientRevision,
} from "../../../src/generator/read/revisions.ts";
import { readSnapshot } from "../../../src/generator/read/snapshot/index.ts";
import { generateStubs } from "../../../src/generator/stubs.ts";
import { snapshotFile, snapshotOf } from "./snapshot.mjs";

const templates = new Map([
  ...named(
    import.meta.glob("../../../templates/**/*.hbs", {
      query: "?raw",
      import: "default",
      eager: true,
    }),
    "templates/",
    "",
  ),
  ...named(
    import.meta.glob("../../../src/generator/copied/*.ts", {
      query: "?raw",
      import: "default",
      eager: true,
    }),
    "copied/",
    supportFolder,
  ),
]);
/**
 * The representations of the revisions, which the build has read, each loaded
 * when a snapshot needs it.
 */
const protocols = new Map(
  named(
    import.meta.glob("../../../dist/ir/2*.json", {
      query: "?raw",
      import: "default",
    }),
    "ir/",
    "",
  ).map(([name, load]) => [name.replace(".json", ""), load]),
);

/** The values of a glob by their paths below a folder. */
function named(values, folder, start) {
  return Object.entries(values).map(([path, value]) => [
    start + path.slice(path.indexOf(folder) + folder.length),
    value,
  ]);
}

const print = (diagnostics) =>
  withHintsOnce(diagnostics)
    .map((diagnostic) => visible(`${formatDiagnostic(diagnostic)}\n`))
    .join("");

/** The outputs by their names, and what there is to say about them. */
async function answer({ text, provider: id }) {
  const diagnostics = new Diagnostics();
  const answerOf = (outputs, placed = (location) => location) => ({
    outputs,
    messages: print(
      diagnostics.list.map((one) => ({
        ...one,
        location: one.location && placed(one.location),
      })),
    ),
  });
  const names = [...protocols.keys()].sort();
  const newest = latestOf(names);
  const pasted = snapshotOf(text, newest, diagnostics.root);
  if (pasted === null) return answerOf([]);
  const { written, placed } = pasted;
  const own = [snapshotFile, written];
  const snapshot = readSnapshot(
    written,
    { file: snapshotFile, name: snapshotFile, newest },
    diagnostics,
  );
  if (snapshot === null) return answerOf([own], placed);
  const revision = clientRevision(snapshot.revision, names, diagnostics.root);
  const protocol = JSON.parse(await protocols.get(revision)());
  const provider = providers.find((one) => one.id === id);
  const options = {
    snapshot,
    protocols: [protocol],
    emit: ["client", "tools"],
    templates,
  };
  const { files } = generateStubs(
    { ...options, convert: converterFor(id) },
    diagnostics,
  );
  const outputs = files.map(({ path, text }) => [path, text]);
  const rows = ["mcpgen lint", rowsOf(snapshot, provider)];
  return answerOf([...outputs, own, rows], placed);
}

/** What `mcpgen lint` prints. */
function rowsOf(snapshot, provider) {
  const diagnostics = new Diagnostics();
  const chosen = provider
    ? [provider]
    : providers.filter(({ id }) => defaultProviders.includes(id));
  const cost = lint(
    [snapshot],
    { providers: chosen, budget: null },
    diagnostics,
  );
  return print(diagnostics.list) + visible(summary(cost, diagnostics.list));
}

globalThis.addEventListener("message", async ({ data }) => {
  try {
    postMessage(await answer(data));
  } catch (error) {
    postMessage({
      outputs: [],
      messages: `The generator failed, which is a mistake of mcpgen: ${error}\n`,
    });
  }
});
