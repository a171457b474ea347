import { McpError } from "@mcpgen/runtime";
import { protocols, type ServerHandlers } from "../../generated/index.js";
import { png } from "./content.js";

const fixed = [
  { uri: "test://static-text", name: "static-text", mimeType: "text/plain", text: "This is a static text." },
  { uri: "test://static-binary", name: "static-binary", mimeType: "image/png", blob: png },
  { uri: "test://watched-resource", name: "watched-resource", mimeType: "text/plain", text: "Watched." },
];

/** The resources that the suite requires. */
export const resources: Pick<
  ServerHandlers,
  "resources/list" | "resources/templates/list" | "resources/read"
> = {
  "resources/list": () => ({
    resources: fixed.map(({ uri, name, mimeType }) => ({ uri, name, mimeType, description: `The ${name}.` })),
  }),
  "resources/templates/list": () => ({
    resourceTemplates: [
      { uriTemplate: "test://template/{id}/data", name: "template", mimeType: "application/json" },
    ],
  }),
  "resources/read": ({ uri }, { revision }) => {
    const match = fixed.find((one) => one.uri === uri);
    if (match?.blob !== undefined) return { contents: [{ uri, mimeType: match.mimeType, blob: match.blob }] };
    if (match?.text !== undefined) return { contents: [{ uri, mimeType: match.mimeType, text: match.text }] };
    const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
    if (id !== undefined) {
      const text = JSON.stringify({ id, data: `Data for ${id}` });
      return { contents: [{ uri, mimeType: "application/json", text }] };
    }
    const message = `There is no resource ${uri}.`;
    const { RESOURCE_NOT_FOUND: code = 0 } = protocols[revision].protocol.facts.errors;
    throw new McpError(code, message, { uri });
  },
};
