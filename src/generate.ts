import type { Diagnostics } from "./diagnostics.js";
import { compile, render } from "./emit/render.js";
import type { Protocol } from "./ir/model.js";
import { clientView } from "./view/client.js";
import { code } from "./view/code.js";
import { dispatchView } from "./view/dispatch.js";
import { header } from "./view/header.js";
import { Naming } from "./view/naming.js";
import { planParams } from "./view/params.js";
import { chosen } from "./view/roles/messages.js";
import { serverView } from "./view/server.js";
import { typesView } from "./view/types.js";
import { validatorsView } from "./view/validators.js";

export type Part = "types" | "validators" | "dispatch" | "client" | "server";

export interface GenerateOptions {
  readonly protocols: readonly Protocol[];
  readonly emit?: readonly Part[];
  readonly runtime?: "package" | "vendored";
  readonly importExtension?: "js" | "ts" | "none";
  /** Templates by file name (`types.ts.hbs`), as they are to be used. */
  readonly templates: ReadonlyMap<string, string>;
  /** The generator's version, for the header. */
  readonly version: string;
}

export interface GeneratedFile {
  /** Relative to the output directory, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** Protocols in, files out. Writes nothing; what had to be renamed or assumed is a diagnostic. */
export function generate(options: GenerateOptions, diagnostics: Diagnostics): GeneratedFile[] {
  const files: GeneratedFile[] = [];
  const template = (name: string) => compile(name, options.templates.get(name) ?? "");
  for (const protocol of options.protocols) {
    const plan = planParams(protocol);
    const naming = new Naming(protocol, plan.synthesized);
    const common = { header: header(options.version, [protocol]), ext: code`.js`, core: code`./validate.js` };
    const add = (name: string, view: object): void => {
      files.push({
        path: `${protocol.revision}/${name}`,
        text: render(template(`${name}.hbs`), { ...common, ...view }),
      });
    };
    add("types.ts", typesView(protocol, plan.synthesized, naming));
    add("validators.ts", validatorsView(protocol, plan.synthesized, naming));
    add("validate.ts", {});
    const choice = chosen(protocol, plan, naming);
    add("dispatch.ts", dispatchView(choice));
    const modules = { runtime: code`@mcpgen/runtime` };
    const client = clientView(choice);
    add("client.ts", { ...modules, ...client, engineModule: code`@mcpgen/runtime/${client.engineEntry}` });
    const server = serverView(choice);
    add("server.ts", { ...modules, ...server, engineModule: code`@mcpgen/runtime/${server.engineEntry}` });
  }
  return files;
}
