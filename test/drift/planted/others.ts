import { at, row, set, type Planted } from "./support.js";

/** The server as a whole, and what it offers beside tools. */
export const others: readonly Planted[] = [
  row(
    "the instructions are others",
    "instructions-changed",
    "server instructions",
    "safety",
    "safety",
    (s) => {
      set(s, "instructions", "Lend without looking.");
    },
  ),
  row(
    "a title is another one",
    "words-changed",
    "tool find_books title",
    "documentation",
    "documentation",
    (s) => {
      set(at(s, "tools", 0), "title", "Search");
    },
  ),
  row(
    "a server has another version",
    "server-changed",
    "server version",
    "documentation",
    "documentation",
    (s) => {
      set(at(s, "server"), "version", "1.1.0");
    },
  ),
  row(
    "an argument of a prompt is required now",
    "member-made-required",
    "prompt advise arguments.mood",
    "breaking",
    "compatible",
    (s) => {
      set(at(s, "prompts", 0, "arguments", 1), "required", true);
    },
  ),
  row(
    "a prompt is gone",
    "removed",
    "prompt advise",
    "breaking",
    "compatible",
    (s) => void s["prompts"]?.pop(),
  ),
  row("a resource has moved", "uri-changed", "resource desk://rules uri", "breaking", "breaking", (s) => {
    set(at(s, "resources", 0), "uri", "desk://rules.txt");
  }),
  row(
    "a resource holds something else",
    "mime-type-changed",
    "resource desk://rules mimeType",
    "breaking",
    "breaking",
    (s) => {
      set(at(s, "resources", 0), "mimeType", "text/html");
    },
  ),
  row(
    "a template has another variable",
    "variable-added",
    "template desk://books/{id}{?page} uriTemplate",
    "breaking",
    "breaking",
    (s) => {
      set(at(s, "resourceTemplates", 0), "uriTemplate", "desk://books/{id}{?page,line}");
    },
  ),
  row(
    "a capability is gone",
    "capability-removed",
    "server capabilities.resources.subscribe",
    "breaking",
    "compatible",
    (s) => {
      delete at(s, "capabilities", "resources")["subscribe"];
    },
  ),
  row(
    "an earlier revision is spoken",
    "revision-lowered",
    "server revision",
    "breaking",
    "compatible",
    (s) => {
      set(s, "revision", "2025-06-18");
    },
  ),
];
