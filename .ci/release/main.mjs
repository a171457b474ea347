// npm run release -- <version>: prepares a release (prepare.mjs).
// npm run release -- --rehearse [folder]: does everything of a release that a
// machine can do from the current commit (rehearse.mjs), and publishes nothing.
const [first = "", folder = "", ...others] = process.argv.slice(2);
const isRehearsal = first === "--rehearse";
if (
  first === "" ||
  others.length > 0 ||
  folder.startsWith("-") ||
  (!isRehearsal && (folder !== "" || first.startsWith("-")))
) {
  console.error(
    "release: run npm run release -- <version>, such as 1.2.0, or npm run release -- --rehearse [folder].",
  );
  process.exitCode = 1;
} else if (isRehearsal) {
  const { rehearse } = await import("./rehearse.mjs");
  process.exitCode = await rehearse(folder || undefined);
} else {
  await import("./prepare.mjs");
}
