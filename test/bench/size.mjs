// The size of a program that is bundled for production: minified and gzipped.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { bundle, generate } from "./bundle.mjs";
import {
  additions,
  allOfApps,
  allOfSkills,
  allOfTelemetry,
  byHand,
  clusterAddition,
  oneOverHttp,
  ours,
  protection,
  stdioClient,
  theirs,
  twoOverHttp,
  valkeyAddition,
} from "./programs.mjs";
import {
  above,
  inScratch,
  modern,
  revision,
  revisions,
  table,
} from "./shared.mjs";

/**
 * What programs weigh at most, in gzipped kilobytes: what they weighed when a
 * figure was last lowered. `clients` are stdio clients of each revision, the
 * oldest first. A change that exceeds one of them fails.
 */
const budgets = {
  clients: [14.9, 15.1, 15.2, 16.3, 18.2],
  [oneOverHttp]: 28.6,
  [twoOverHttp]: 35.4,
  [allOfApps]: 2.7,
  [allOfSkills]: 13,
  [allOfTelemetry]: 2.3,
  [protection]: 6.8,
  [clusterAddition]: 8.2,
  [valkeyAddition]: 1.5,
};

await inScratch(async (scratch) => {
  generate(revision, join(scratch, "gen"));
  generate(`${revision},${modern}`, join(scratch, "both"));
  const rows = [];
  /** Kilobytes, minified, and gzipped too. */
  const sizesOf = async (text, external = []) => {
    const file = join(scratch, "program.ts");
    writeFileSync(file, text);
    const contents = await bundle(file, { external });
    return [contents.length, gzipSync(contents, { level: 9 }).length].map(
      (n) => n / 1024,
    );
  };
  const add = (name, [plain, gzipped], budget = Infinity) => {
    if (gzipped > budget) process.exitCode = 1;
    rows.push([
      name,
      plain.toFixed(1),
      gzipped.toFixed(1),
      above(gzipped, budget, "KB"),
    ]);
  };
  const weigh = async (name, text, budget, external) =>
    add(name, await sizesOf(text, external), budget);
  await weigh("by hand, a JSON loop over stdio", byHand);
  for (const [i, one] of revisions().sort().entries()) {
    generate(one, join(scratch, one));
    const text = stdioClient.replace("./gen/", `./${one}/`);
    await weigh(`ours, stdio client of ${one}`, text, budgets.clients[i]);
  }
  // Only our own code counts.
  const others = ["@opentelemetry/api", "jose", "yaml"];
  for (const [name, text] of Object.entries(ours))
    await weigh(name, text, budgets[name], others);
  for (const [name, [text, without]] of Object.entries(additions)) {
    const before = await sizesOf(without);
    add(
      name,
      (await sizesOf(text)).map((size, i) => size - before[i]),
      budgets[name],
    );
  }
  for (const [name, text] of Object.entries(theirs)) await weigh(name, text);
  console.log(`Bundles, esbuild, in kilobytes: test/bench/size.mjs\n`);
  table(["program", "minified", "and gzipped", ""], rows);
});
