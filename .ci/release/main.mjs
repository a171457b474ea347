// npm run release -- <version>: prepares a release (prepare.mjs).
// npm run release -- --rehearse [folder]: does everything of a release that a
// machine can do from the current commit (rehearse.mjs), and publishes nothing.
const [first, folder] = process.argv.slice(2);
if (first === "--rehearse") {
  const { rehearse } = await import("./rehearse.mjs");
  process.exitCode = await rehearse(folder);
} else {
  await import("./prepare.mjs");
}
