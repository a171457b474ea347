import { at, input, row, set, type Loose, type Planted } from "./support.js";

/** Drifts of tools and their arguments. */
export const tools: readonly Planted[] = [
  row(
    "a tool was removed",
    "removed",
    "tool lend_book",
    "breaking",
    "compatible",
    (s) => void s["tools"]?.pop(),
  ),
  row(
    "a tool was added",
    "added",
    "tool take_back",
    "compatible",
    "breaking",
    (s) => {
      s["tools"]?.push({
        name: "take_back",
        inputSchema: { type: "object" },
      } as unknown as Loose);
    },
  ),
  row(
    "a required argument was added",
    "required-member-added",
    "tool find_books input.branch",
    "breaking",
    "compatible",
    (s) => {
      set(input(s), "branch", { type: "string" });
      at(s, "tools", 0, "inputSchema", "required").push(
        "branch" as unknown as Loose,
      );
    },
  ),
  row(
    "an argument became required",
    "member-made-required",
    "tool find_books input.shelf",
    "breaking",
    "compatible",
    (s) => {
      at(s, "tools", 0, "inputSchema", "required").push(
        "shelf" as unknown as Loose,
      );
    },
  ),
  row(
    "an argument became optional",
    "member-made-optional",
    "tool find_books input.words",
    "compatible",
    "breaking",
    (s) => {
      set(at(s, "tools", 0, "inputSchema"), "required", []);
    },
  ),
  row(
    "an optional argument was added",
    "optional-member-added",
    "tool find_books input.language",
    "compatible",
    "compatible",
    (s) => {
      set(input(s), "language", { type: "string" });
    },
  ),
  row(
    "an optional argument was added to a closed object",
    "optional-member-added",
    "tool lend_book input.note",
    "compatible",
    "breaking",
    (s) => {
      set(at(s, "tools", 1, "inputSchema", "properties"), "note", {
        type: "string",
      });
    },
  ),
  row(
    "an argument was removed",
    "optional-member-removed",
    "tool find_books input.shelf",
    "breaking",
    "compatible",
    (s) => {
      delete input(s)["shelf"];
    },
  ),
  row(
    "a value of an argument was removed",
    "value-removed",
    "tool find_books input.shelf",
    "breaking",
    "compatible",
    (s) => {
      set(at(input(s), "shelf"), "enum", ["fiction", "science"]);
    },
  ),
  row(
    "a value of an argument was added",
    "value-added",
    "tool find_books input.shelf",
    "compatible",
    "breaking",
    (s) => {
      set(at(input(s), "shelf"), "enum", [
        "fiction",
        "science",
        "travel",
        "maps",
      ]);
    },
  ),
  row(
    "an argument has another type",
    "type-replaced",
    "tool lend_book input.days",
    "breaking",
    "breaking",
    (s) => {
      set(at(s, "tools", 1, "inputSchema", "properties"), "days", {
        type: "string",
      });
    },
  ),
  row(
    "an argument must be an integer",
    "type-narrowed",
    "tool lend_book input.days",
    "breaking",
    "compatible",
    (s) => {
      set(
        at(s, "tools", 1, "inputSchema", "properties", "days"),
        "type",
        "integer",
      );
    },
  ),
  row(
    "an argument may be null",
    "type-widened",
    "tool lend_book input.days",
    "compatible",
    "breaking",
    (s) => {
      set(at(s, "tools", 1, "inputSchema", "properties", "days"), "type", [
        "number",
        "null",
      ]);
    },
  ),
  row(
    "a limit is stricter",
    "bound-tightened",
    "tool find_books input.most",
    "breaking",
    "compatible",
    (s) => {
      set(at(input(s), "most"), "maximum", 20);
    },
  ),
  row(
    "a pattern has changed",
    "condition-changed",
    "tool lend_book input.id",
    "breaking",
    "breaking",
    (s) => {
      set(
        at(s, "tools", 1, "inputSchema", "properties", "id"),
        "pattern",
        "^[0-9]+$",
      );
    },
  ),
  row(
    "an alternative was removed",
    "alternative-removed",
    "tool find_books input.by",
    "breaking",
    "compatible",
    (s) => {
      at(input(s), "by", "anyOf").pop();
    },
  ),
  row(
    "the target of a reference has changed",
    "required-member-added",
    "tool find_books input.near.country",
    "breaking",
    "compatible",
    (s) => {
      at(s, "tools", 0, "inputSchema", "$defs", "Place", "required").push(
        "country" as unknown as Loose,
      );
    },
  ),
  row(
    "a default has changed",
    "default-changed",
    "tool find_books input.most",
    "compatible",
    "compatible",
    (s) => {
      set(at(input(s), "most"), "default", 20);
    },
  ),
];
