import type { Snapshot } from "../../ir/snapshot/model.js";
import {
  callCode,
  annotation,
  type Code,
  code,
  constant,
  generic,
  identifier,
  indexedType,
  jsonCode,
  literal,
  memberTable,
  signature,
} from "../typescript/code.js";
import { docComment } from "../typescript/doc.js";
import { arrowMember, type CallView } from "./calls.js";
import { type Completable, completablesIn } from "./completables.js";
import type { ProjectNaming } from "./naming.js";
import { memberType, methodName, paramSchema } from "./protocol.js";
import type { RevisionContext } from "../roles/index.js";

/** The completion functions of a client: arguments of prompts and variables of templates. */
export interface CompletionView {
  /** `WeatherComplete` */
  readonly type: Code;
  readonly method: Code;
  /** The suggested values and their count. */
  readonly result: Code;
  /** True if a request can contain the other arguments. */
  readonly hasContext: boolean;
  readonly prompts: readonly CallView[];
  readonly templates: readonly CallView[];
  /** `completePrompts: WeatherComplete["prompts"] = { … }` */
  readonly promptTable: Code;
  readonly templateTable: Code;
}

/** Null if nothing can be completed. */
export function completionView(
  snapshot: Snapshot,
  naming: ProjectNaming,
  context: RevisionContext,
): CompletionView | null {
  const completables = completablesIn(snapshot, naming, context);
  if (completables === null) return null;
  const { request } = completables;
  const [prompts, templates] = [
    completables.prompts.map(completeCall),
    completables.templates.map(completeCall),
  ];
  const type = identifier(`${naming.stem}Complete`);
  const table = (name: Code, member: string, calls: readonly CallView[]): Code =>
    constant(name, indexedType(type, literal(member)), memberTable(calls.map(({ call }) => call)));
  return {
    type,
    method: methodName(context, request),
    result: memberType(context, request, "completion"),
    hasContext: paramSchema(context, request, "context") !== null,
    prompts,
    templates,
    promptTable: table(code`completePrompts`, "prompts", prompts),
    templateTable: table(code`completeResources`, "resources", templates),
  };
}

function completeCall({ member, names, ref }: Completable): CallView {
  const name = identifier(member);
  const parameters = [
    annotation(code`name`, names.map(literal)),
    code`value: string`,
    code`options?: CompleteOptions`,
  ];
  const wire = jsonCode({ type: ref.type, [ref.by]: ref.value });
  const args = [code`caller`, wire, code`name`, code`value`, code`options`];
  return {
    doc: docComment([`Completes one of ${names.map((argument) => `\`${argument}\``).join(", ")}.`]),
    signature: signature(name, parameters, generic(code`Promise`, [code`Completion`])),
    call: arrowMember(name, code`(name, value, options)`, callCode(code`complete`, args)),
  };
}
