import { skills } from "@mcpgen/runtime/skills";
import { serveStdio } from "@mcpgen/runtime/stdio";
import { createServer } from "./skilled/index.js";

const text = (name: string, body: string): string =>
  `---\nname: ${name}\ndescription: How to write ${name}.\n---\n\n${body}\n`;

const server = createServer({
  info: { name: "shop", version: "1.0.0" },
  handlers: {
    ...skills([
      {
        path: "letters",
        files: {
          "SKILL.md": text("letters", "Be polite."),
          "sign.txt": "Yours",
        },
      },
      {
        path: "daily-reports",
        dynamic: true,
        read: (file, { revision }) =>
          file === "SKILL.md"
            ? text("daily-reports", `Revision ${revision}.`)
            : undefined,
      },
    ]),
  },
});

await serveStdio(server);
