import { ts } from "ts-morph";
import { member, pages } from "./handlers.js";
import { leave, sdkName, textOf, unwrapped, type Program } from "./source.js";

/** The information and settings of a server. */
export function settingsOf(program: Program, node: ts.NewExpression): string[] {
  const args = [...(node.arguments ?? [])];
  const isFast = sdkName(program, node.expression) === "FastMCP";
  const [info, options] = args.map(unwrapped);
  const settings: string[] = [];
  const read = (object: ts.ObjectLiteralExpression): void => {
    for (const property of object.properties) {
      const name = property.name?.getText() ?? "";
      const value = member(object, name);
      if (name === "name" || name === "version") continue;
      if (name === "instructions") settings.push(textOf(program, property));
      else if (name === "capabilities" && value && ts.isObjectLiteralExpression(value)) {
        // The rows declare their own capabilities.
        const others = value.properties.filter(
          (one) => !/^(tools|resources|prompts|completions)$/.test(one.name?.getText() ?? ""),
        );
        if (others.length > 0)
          settings.push(`capabilities: { ${others.map((one) => textOf(program, one)).join(", ")} }`);
      } else {
        leave(program, property, `a server has no setting ${name}`, `see ${pages.sdk}#move-a-server`);
        settings.push(textOf(program, property));
      }
    }
  };
  if (options !== undefined) {
    if (ts.isObjectLiteralExpression(options)) read(options);
    else {
      leave(
        program,
        options,
        "the settings of this server cannot be read",
        "write them as members of createServers",
      );
      settings.push(`...${textOf(program, options)}`);
    }
  }
  if (!isFast || info === undefined || !ts.isObjectLiteralExpression(info))
    return [`info: ${info === undefined ? "{}" : textOf(program, info)}`, ...settings];
  read(info);
  const own = info.properties.filter((one) => /^(name|version)$/.test(one.name?.getText() ?? ""));
  return [`info: { ${own.map((one) => textOf(program, one)).join(", ")} }`, ...settings];
}
