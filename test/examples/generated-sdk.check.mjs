import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { runQuickstarts } from "../../.ci/experiment/quickstarts.mjs";

const page = readFileSync(
  fileURLToPath(new URL("generated-sdk/README.md", import.meta.url)),
  "utf8",
);

it("the quickstarts of the generated SDK print what their page says, over stdio and over HTTP", async () => {
  const { runs } = await runQuickstarts();
  expect(
    runs.map(({ client, transport }) => `${client} over ${transport}`),
  ).toEqual([
    "client over stdio",
    "client over HTTP",
    "any-client over stdio",
    "any-client over HTTP",
  ]);
  for (const { output } of runs)
    expect(page).toContain(`\`\`\`text\n${output}\`\`\`\n`);
});
