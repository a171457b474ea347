import type { Entry, Snapshot } from "../../ir/snapshot/model.js";
import { fromLayout, type Code, code, identifier, literal } from "../typescript/code.js";
import { folderNames, Names, words } from "../typescript/names.js";
import { hardline, indent } from "../typescript/layout.js";
import { callCode, shorthand } from "./calls.js";
import { entryDoc } from "./docs.js";
import type { ProjectNaming } from "./naming.js";

type Group = "tools" | "prompts" | "resources";

/** `handlers/index.ts`: collects all handlers. */
export interface HandlersView {
  readonly handlersType: Code;
  readonly imports: readonly { readonly name: Code; readonly file: Code }[];
  readonly handlers: Code;
}

/** A handler's file to fill in. */
export interface HandlerFile {
  readonly path: string;
  readonly view: {
    readonly handlersType: Code;
    readonly doc: Code | null;
    /** `export const getWeather: WeatherHandlers["tools"]["getWeather"] = () => { … };` */
    readonly declaration: Code;
  };
}

interface HandlerPlan {
  readonly group: Group;
  readonly entry: Entry;
  readonly member: string;
  /** The name of the function; no other file exports it. */
  readonly name: string;
  readonly file: string;
}

export function handlersView(snapshot: Snapshot, naming: ProjectNaming): HandlersView {
  const files = plan(snapshot, naming);
  const groups = (["tools", "prompts", "resources"] as const).filter((group) =>
    files.some((entry) => entry.group === group),
  );
  const members = groups.map((group) => {
    const groupFiles = files.filter((entry) => entry.group === group);
    const list = groupFiles.map(({ member, name }) =>
      member === name ? identifier(name) : code`${identifier(member)}: ${identifier(name)}`,
    );
    return code`${identifier(group)}: ${shorthand(list)}`;
  });
  return {
    handlersType: identifier(`${naming.stem}Handlers`),
    imports: files.map(({ name, group, file }) => ({
      name: identifier(name),
      file: fromLayout(["./", group, "/", file]),
    })),
    handlers: shorthand(members),
  };
}

export function handlerFiles(snapshot: Snapshot, naming: ProjectNaming): HandlerFile[] {
  const handlersType = identifier(`${naming.stem}Handlers`);
  return plan(snapshot, naming).map(({ group, entry, member, name, file }) => ({
    path: `handlers/${group}/${file}.ts`,
    view: {
      handlersType,
      doc: entryDoc(entry),
      declaration: throwingHandler(
        [identifier(name), handlersType, literal(group), literal(member)],
        literal(`The handler of "${entry.name.slice(0, 80)}" is not implemented.`),
      ),
    },
  }));
}

/** The line width of Prettier. A choice that depends on it cannot be expressed in a layout. */
const COLUMNS = 80;

/** A function that throws, on the next line if its first line does not fit after its name and type. */
function throwingHandler(
  words: readonly [name: Code, type: Code, group: Code, member: Code],
  message: Code,
): Code {
  const [name, type, group, member] = words;
  const head = code`export const ${name}: ${type}[${group}][${member}] =`;
  const length = words.reduce((sum, { layout }) => sum + String(layout).length, 0);
  const fits = "export const : [][] = () => {".length + length <= COLUMNS;
  const error = callCode(code`new Error`, [message]);
  const body = ["() => {", indent([hardline, "throw ", error.layout, ";"]), hardline, "};"];
  return fromLayout([head.layout, fits ? [" ", ...body] : indent([hardline, ...body])]);
}

function plan({ tools, prompts, resources, templates }: Snapshot, naming: ProjectNaming): HandlerPlan[] {
  const names = new Names(["Error", "handlers"]);
  const group = (folder: Group, entries: readonly Entry[], members: readonly string[]): HandlerPlan[] => {
    const files = folderNames(entries.map(({ name }) => words(name).join("-").toLowerCase() || "handler"));
    return entries.map((entry, i) => {
      const member = members[i] ?? "";
      return { group: folder, entry, member, name: names.claim(member), file: files[i] ?? "" };
    });
  };
  const readable = templates.flatMap((entry, i) =>
    entry.parts === null ? [] : [[entry, naming.templates[i] ?? ""] as const],
  );
  return [
    ...group("tools", tools, naming.tools),
    ...group("prompts", prompts, naming.prompts),
    ...group(
      "resources",
      [...resources, ...readable.map(([entry]) => entry)],
      [...naming.resources, ...readable.map(([, name]) => name)],
    ),
  ];
}
