// Runs programs of code mode with the version of Node.js that runs this file,
// and prints what came of each as JSON.
import { makeCode } from "../../src/runtime/dist/code.js";

const { api, directory, programs, servers } = JSON.parse(process.argv[2]);
const content = [{ type: "text", text: "some text" }];
const files = { tools: { read: async () => ({ content }) } };
const warnings = [];
const code = makeCode({ files }, servers, api, {
  directory,
  onWarning: (text) => warnings.push(text),
});
const results = [];
for (const program of programs) results.push(await code.run(program));
const version = process.versions.node;
process.stdout.write(JSON.stringify({ version, results, warnings }));
