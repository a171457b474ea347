import type { Entry } from "../../ir/snapshot/model.js";
import {
  callCode,
  type Code,
  code,
  constant,
  fromLayout,
  identifier,
  literal,
} from "../typescript/code.js";
import { folderNames, Names, words } from "../typescript/names.js";
import { hardline, indent } from "../typescript/layout.js";
import { shorthand } from "./members.js";
import { entryDoc } from "./docs.js";
import type { Entries, Named } from "./entries.js";
import { type Group, groups, nameIn, type ProjectNaming } from "./naming.js";

/** `handlers/index.ts`: collects all handlers. */
interface HandlersView {
  readonly imports: readonly { readonly name: Code; readonly file: Code }[];
  readonly handlers: Code;
}

/** A handler's file to fill in. */
interface HandlerFile {
  readonly path: string;
  readonly view: {
    /**
     * Says whose handler it is, so that the file never becomes the handler of
     * another entry.
     */
    readonly subject: Code;
    readonly doc: Code | null;
    /**
     * `export const getWeather: WeatherHandlers["tools"]["getWeather"] = () =>
     * { … };`
     */
    readonly declaration: Code;
  };
}

interface HandlerPlan {
  readonly group: Group;
  readonly entry: Entry;
  readonly member: string;
  /** The name of the function. It depends on no other file. */
  readonly name: string;
  /** The name of the function where all are imported. */
  readonly local: string;
  readonly file: string;
}

export function handlersView(
  entries: Entries,
  naming: ProjectNaming,
): HandlersView {
  const files = plan(entries, naming);
  const used = groups.filter((group) =>
    files.some((entry) => entry.group === group),
  );
  const members = used.map((group) => {
    const groupFiles = files.filter((entry) => entry.group === group);
    const list = groupFiles.map(({ member, local }) =>
      member === local
        ? identifier(local)
        : code`${identifier(member)}: ${identifier(local)}`,
    );
    return code`${identifier(group)}: ${shorthand(list)}`;
  });
  return {
    imports: files.map(({ name, local, group, file }) => ({
      name:
        name === local
          ? identifier(name)
          : code`${identifier(name)} as ${identifier(local)}`,
      file: fromLayout(["./", group, "/", file]),
    })),
    handlers: shorthand(members),
  };
}

export function handlerFiles(
  entries: Entries,
  naming: ProjectNaming,
): HandlerFile[] {
  const handlersType = identifier(`${naming.stem}Handlers`);
  return plan(entries, naming).map(({ group, entry, member, name, file }) => {
    const kind = identifier(group.slice(0, -1));
    const subject = code`// Handles the ${kind} ${literal(entry.name.slice(0, 200))}.`;
    const message = `The handler of "${entry.name.slice(0, 80)}" is not implemented.`;
    const declaration = constant(
      identifier(name),
      code`${handlersType}[${literal(group)}][${literal(member)}]`,
      throwing(literal(message)),
    );
    return {
      path: `handlers/${group}/${file}.ts`,
      view: { subject, doc: entryDoc(entry), declaration },
    };
  });
}

/** A function that throws an error. */
function throwing(message: Code): Code {
  const error = callCode(code`throw new Error`, [message]);
  return fromLayout([
    "() => {",
    indent([hardline, error.layout, ";"]),
    hardline,
    "}",
  ]);
}

function plan(entries: Entries, naming: ProjectNaming): HandlerPlan[] {
  const names = new Names(["Error", "handlers"]);
  return groups.flatMap((group) => {
    const given = Object.entries(naming.given[group]);
    const slugs = given.map(
      ([, id]) => words(nameIn(group, id)).join("-").toLowerCase() || "handler",
    );
    const files = new Map(
      folderNames(slugs).map((file, i) => [given[i]?.[0], file]),
    );
    return (entries[group] as readonly Named<Entry>[]).map(
      ({ entry, member }) => {
        const name = new Names(["Error", "handlers"]).claim(member);
        return {
          group,
          entry,
          member,
          name,
          local: names.claim(name),
          file: files.get(member) ?? "",
        };
      },
    );
  });
}
