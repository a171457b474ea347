import { at, row, set, type Planted } from "./support.js";

/** Drifts of the server itself, its prompts and its resources. */
export const others: readonly Planted[] = [
  row(
    "the instructions have changed",
    "instructions-changed",
    "server instructions",
    "safety",
    "safety",
    (s) => {
      set(s, "instructions", "Lend without looking.");
    },
  ),
  row(
    "a title has changed",
    "words-changed",
    "tool find_books title",
    "documentation",
    "documentation",
    (s) => {
      set(at(s, "tools", 0), "title", "Search");
    },
  ),
  row(
    "the version of the server has changed",
    "server-changed",
    "server version",
    "documentation",
    "documentation",
    (s) => {
      set(at(s, "server"), "version", "1.1.0");
    },
  ),
  row(
    "an argument of a prompt became required",
    "member-made-required",
    "prompt advise arguments.mood",
    "breaking",
    "compatible",
    (s) => {
      set(at(s, "prompts", 0, "arguments", 1), "required", true);
    },
  ),
  row(
    "a prompt was removed",
    "removed",
    "prompt advise",
    "breaking",
    "compatible",
    (s) => void s["prompts"]?.pop(),
  ),
  row(
    "a resource has another URI",
    "uri-changed",
    "resource desk://rules uri",
    "breaking",
    "breaking",
    (s) => {
      set(at(s, "resources", 0), "uri", "desk://rules.txt");
    },
  ),
  row(
    "a resource has another MIME type",
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
      set(
        at(s, "resourceTemplates", 0),
        "uriTemplate",
        "desk://books/{id}{?page,line}",
      );
    },
  ),
  row(
    "a capability was removed",
    "capability-removed",
    "server capabilities.resources.subscribe",
    "breaking",
    "compatible",
    (s) => {
      delete at(s, "capabilities", "resources")["subscribe"];
    },
  ),
  row(
    "a capability has another setting",
    "capability-changed",
    "server capabilities.experimental.shelves.most",
    "breaking",
    "breaking",
    (s) => {
      set(at(s, "capabilities", "experimental", "shelves"), "most", 3);
    },
  ),
  row(
    "the revision is older",
    "revision-lowered",
    "server revision",
    "breaking",
    "compatible",
    (s) => {
      set(s, "revision", "2025-06-18");
    },
  ),
];
