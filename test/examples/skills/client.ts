import {
  isSkillError,
  listSkills,
  loadSkill,
  skillDigest,
} from "@mcpgen/runtime/skills";
import { stdio } from "@mcpgen/runtime/stdio";
import { Client } from "./skilled/index.js";

const server = stdio("node", ["--import", "tsx", "server.ts"]);
const client = await Client.connect(server, {
  info: { name: "guide", version: "1.0.0" },
});

for await (const { uri, frontmatter } of listSkills(client))
  console.log(uri, frontmatter.description);

const skill = await loadSkill(client, "skill://acme/refunds/SKILL.md");
console.log(skill.frontmatter["license"]);
console.log(skill.body);

console.log(await skill.directory("examples"));
console.log(await skill.read("examples/email.md"));

try {
  await skill.read("../secrets/keys.md");
} catch (error) {
  if (isSkillError(error)) console.log(error.reason, error.message);
}

const approved = await skillDigest(skill.entry);
console.log(
  approved === (await skillDigest((await loadSkill(client, skill.uri)).entry)),
);
console.log(await skill.refresh(), skill.changed);
await client.close();
