import { resources as listed } from "@mcpgen/runtime/features";
import { skills as served } from "@mcpgen/runtime/skills";
import { png } from "./content.js";

const watched = { uri: "test://watched-resource", name: "watched-resource" };

/** The resources that the suite requires. */
export const resources = listed([
  {
    uri: "test://static-text",
    name: "static-text",
    description: "The static-text.",
    mimeType: "text/plain",
    read: () => "This is a static text.",
  },
  {
    uri: "test://static-binary",
    name: "static-binary",
    description: "The static-binary.",
    mimeType: "image/png",
    read: () => Uint8Array.from(atob(png), (char) => char.charCodeAt(0)),
  },
  {
    ...watched,
    description: "The watched-resource.",
    mimeType: "text/plain",
    read: () => "Watched.",
  },
  {
    uriTemplate: "test://template/{id}/data",
    name: "template",
    mimeType: "application/json",
    read: ({ id }) => JSON.stringify({ id, data: `Data for ${id}` }),
  },
]);

/**
 * Skills for the scenarios of the extension: one with a folder, one inside it,
 * and one that is generated.
 */
export const skills = served(
  [
    {
      path: "forms",
      files: {
        "SKILL.md":
          "---\nname: forms\ndescription: Fills in forms.\nmetadata:\n  version: 2.1.0\n---\n\nSee [the fields](references/fields.md).\n",
        "references/fields.md": "# Fields\r\n",
        "references/blank.bin": Uint8Array.of(0xff, 0x00, 0xfe),
        "tax/SKILL.md":
          "---\nname: tax\ndescription: Fills in tax forms.\n---\n\nUse the newest form.\n",
      },
    },
    {
      path: "forms/tax",
      files: {
        "SKILL.md":
          "---\nname: tax\ndescription: Fills in tax forms.\n---\n\nUse the newest form.\n",
      },
    },
    {
      path: "reports/daily",
      dynamic: true,
      read: (file) =>
        file === "SKILL.md"
          ? "---\nname: daily\ndescription: Writes the report of the day.\n---\n\nWrite it.\n"
          : undefined,
    },
  ],
  { prefix: "acme", pageSize: 2, ttlMs: 1000, cacheScope: "public" },
);
