import * as mcp from "../../generated/index.js";
import { makeCode, serveCode } from "@mcpgen/runtime/code";

/** A server over code mode, whose tools write what they do to stderr. */
const [allow = ""] = process.argv.slice(2);
const tool = (name: string, isReadOnly: boolean) => ({
  name,
  text: `files.${name}(args: { path?: string }): Promise<object>\nTool ${name}.`,
  line: `files.${name}({ path?: string }): Promise<object> — Tool ${name}.`,
  isReadOnly,
});
const names = ["read", "write", "picture", "hang"];
const servers = [
  {
    name: "files",
    summary: "The files of a folder",
    tools: names.map((name) => tool(name, name !== "write")),
  },
];
const answer = (name: string) => async (args: object) => {
  console.error(`${name} ${JSON.stringify(args)}`);
  const picture = { type: "image", mimeType: "image/png", data: "QUJD" };
  const text = { type: "text", text: `${name} done` };
  return { content: name === "picture" ? [picture] : [text] };
};
const hang = (_args: object, { signal }: { readonly signal: AbortSignal }) =>
  new Promise((_, reject) => {
    console.error("hang called");
    signal.addEventListener("abort", () => {
      console.error("hang aborted");
      reject(new Error("aborted"));
    });
  });
const tools = Object.fromEntries(names.map((name) => [name, answer(name)]));
const code = makeCode(
  { files: { tools: { ...tools, hang } } },
  servers,
  "",
  // No TypeScript: what is checked here is the server.
  { directory: "/", onWarning: () => {}, limits: { time: 5000 } },
);
await serveCode(code, mcp, { allow: allow === "" ? [] : [allow] });
