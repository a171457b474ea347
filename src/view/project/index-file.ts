import { type Code, code, identifier, nameList } from "../typescript/code.js";
import type { ExportView, IndexView } from "../index-file.js";
import type { ProjectClientView } from "./client.js";
import type { ProjectNaming } from "./naming.js";
import type { ProjectServerView } from "./server.js";

/** `index.ts` of a project: its exports, by name. */
export function projectIndexView(
  naming: ProjectNaming,
  client: ProjectClientView | null,
  server: ProjectServerView | null,
  hasJsonSchemas: boolean,
): IndexView {
  const exports: ExportView[] = [];
  const add = (file: Code, isType: boolean, names: readonly Code[]): void => {
    if (names.length > 0) exports.push({ file, isType, names: nameList(names) });
  };
  add(code`./types`, true, naming.typeNames.map(identifier));
  add(code`./validators`, false, naming.schemaNames.map(identifier));
  add(code`./validate`, true, ["Issue", "Parsed", "Schema"].map(identifier));
  add(code`./validate`, false, ["isValidationError", "ValidationError"].map(identifier));
  if (hasJsonSchemas) {
    add(code`./json-schemas`, true, [identifier("JsonSchema")]);
    add(code`./json-schemas`, false, naming.jsonSchemaNames.map(identifier));
  }
  if (client !== null) {
    add(code`./client`, true, [
      ...["CallOptions", "Caller"].map(identifier),
      client.clientType,
      ...(client.hasTools
        ? [...["Failed", "Structured", "Unstructured"].map(identifier), client.readOnlyType]
        : []),
      ...client.kinds.flatMap(({ names, type }) => [...names, type]),
    ]);
    add(code`./client`, false, [client.create]);
  }
  if (server !== null) {
    const { hasTools, hasPrompts, hasResources, completion, watchers } = server;
    add(code`./server`, true, [
      identifier("Context"),
      server.handlersType,
      server.optionsType,
      ...(hasTools ? [identifier("ToolAnswer")] : []),
      ...(hasPrompts ? [identifier("PromptAnswer")] : []),
      ...(hasResources ? [identifier("ResourceAnswer")] : []),
      ...(completion === null ? [] : ["Completer", "Completers"].map(identifier)),
      ...(watchers === null ? [] : [watchers.type]),
    ]);
    add(code`./server`, false, [server.create, ...(hasTools ? ["Reply", "ToolError"].map(identifier) : [])]);
  }
  return { exports };
}
