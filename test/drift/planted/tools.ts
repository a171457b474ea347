import { at, input, row, set, type Loose, type Planted } from "./support.js";

/** What there is to call, and what it takes. */
export const tools: readonly Planted[] = [
  row("a tool is gone", "removed", "tool lend_book", "breaking", "compatible", (s) => void s["tools"]?.pop()),
  row("a tool is new", "added", "tool take_back", "compatible", "breaking", (s) => {
    s["tools"]?.push({ name: "take_back", inputSchema: { type: "object" } } as unknown as Loose);
  }),
  row(
    "an argument more is required",
    "required-member-added",
    "tool find_books input.branch",
    "breaking",
    "compatible",
    (s) => {
      set(input(s), "branch", { type: "string" });
      at(s, "tools", 0, "inputSchema", "required").push("branch" as unknown as Loose);
    },
  ),
  row(
    "an argument is required now",
    "member-made-required",
    "tool find_books input.shelf",
    "breaking",
    "compatible",
    (s) => {
      at(s, "tools", 0, "inputSchema", "required").push("shelf" as unknown as Loose);
    },
  ),
  row(
    "an argument may be left out now",
    "member-made-optional",
    "tool find_books input.words",
    "compatible",
    "breaking",
    (s) => {
      set(at(s, "tools", 0, "inputSchema"), "required", []);
    },
  ),
  row(
    "an argument more is allowed",
    "optional-member-added",
    "tool find_books input.language",
    "compatible",
    "compatible",
    (s) => {
      set(input(s), "language", { type: "string" });
    },
  ),
  row(
    "an argument more is allowed where others were refused",
    "optional-member-added",
    "tool lend_book input.note",
    "compatible",
    "breaking",
    (s) => {
      set(at(s, "tools", 1, "inputSchema", "properties"), "note", { type: "string" });
    },
  ),
  row(
    "an argument is gone",
    "optional-member-removed",
    "tool find_books input.shelf",
    "breaking",
    "compatible",
    (s) => {
      delete input(s)["shelf"];
    },
  ),
  row(
    "an argument takes a value less",
    "value-removed",
    "tool find_books input.shelf",
    "breaking",
    "compatible",
    (s) => {
      set(at(input(s), "shelf"), "enum", ["fiction", "science"]);
    },
  ),
  row(
    "an argument takes a value more",
    "value-added",
    "tool find_books input.shelf",
    "compatible",
    "breaking",
    (s) => {
      set(at(input(s), "shelf"), "enum", ["fiction", "science", "travel", "maps"]);
    },
  ),
  row(
    "an argument is of another type",
    "type-replaced",
    "tool lend_book input.days",
    "breaking",
    "breaking",
    (s) => {
      set(at(s, "tools", 1, "inputSchema", "properties"), "days", { type: "string" });
    },
  ),
  row(
    "an argument must be whole now",
    "type-narrowed",
    "tool lend_book input.days",
    "breaking",
    "compatible",
    (s) => {
      set(at(s, "tools", 1, "inputSchema", "properties", "days"), "type", "integer");
    },
  ),
  row(
    "an argument may be null now",
    "type-widened",
    "tool lend_book input.days",
    "compatible",
    "breaking",
    (s) => {
      set(at(s, "tools", 1, "inputSchema", "properties", "days"), "type", ["number", "null"]);
    },
  ),
  row(
    "a bound is tighter",
    "bound-tightened",
    "tool find_books input.most",
    "breaking",
    "compatible",
    (s) => {
      set(at(input(s), "most"), "maximum", 20);
    },
  ),
  row(
    "a pattern is another one",
    "condition-changed",
    "tool lend_book input.id",
    "breaking",
    "breaking",
    (s) => {
      set(at(s, "tools", 1, "inputSchema", "properties", "id"), "pattern", "^[0-9]+$");
    },
  ),
  row(
    "an alternative is gone",
    "alternative-removed",
    "tool find_books input.by",
    "breaking",
    "compatible",
    (s) => {
      at(input(s), "by", "anyOf").pop();
    },
  ),
  row(
    "what a reference leads to has changed",
    "required-member-added",
    "tool find_books input.near.country",
    "breaking",
    "compatible",
    (s) => {
      at(s, "tools", 0, "inputSchema", "$defs", "Place", "required").push("country" as unknown as Loose);
    },
  ),
  row(
    "a default is another one",
    "default-changed",
    "tool find_books input.most",
    "compatible",
    "compatible",
    (s) => {
      set(at(input(s), "most"), "default", 20);
    },
  ),
];
