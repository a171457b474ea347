/** A tool of a server, as the generator describes it. */
export interface CatalogTool {
  /** The name in programs: that of the method of the client. */
  readonly name: string;
  /** Its comment and its signature, as in `api.d.ts`. */
  readonly text: string;
  /** Its signature in one line, with its first sentence. */
  readonly line: string;
  /** True if the server says that the tool changes nothing. */
  readonly isReadOnly: boolean;
}

/** A server, as the generator describes it. */
export interface CatalogServer {
  /** The namespace of its tools in programs. */
  readonly name: string;
  /** A few words. */
  readonly summary: string;
  readonly tools: readonly CatalogTool[];
}

/** What a model can find out about the tools of several servers. */
export interface Catalog {
  /** A line for each server. */
  readonly index: string;
  /**
   * The signatures of the twenty tools that fit some words best, a line each.
   */
  search(words: string): string;
  /**
   * The comments and signatures of some tools.
   *
   * @param names such as `files.editFile`, or `files` for all of a server
   * @throws if there is no such tool, with the names that are alike
   */
  describe(names: readonly string[]): string;
}

interface Row extends CatalogTool {
  readonly path: string;
}

/** Makes the catalog of some servers. */
export function catalogOf(servers: readonly CatalogServer[]): Catalog {
  const rows = servers.flatMap(({ name, tools }) =>
    tools.map((tool): Row => ({ ...tool, path: `${name}.${tool.name}` })),
  );
  return {
    index: servers
      .map(({ name, summary, tools }) => {
        const count = tools.length === 1 ? "1 tool" : `${tools.length} tools`;
        return `${name}: ${summary} (${count})`;
      })
      .join("\n"),
    search: (words) =>
      best(rows, words, 20)
        .map(({ line }) => line)
        .join("\n"),
    describe(names) {
      return names
        .flatMap((name) => {
          const found = rows.filter(
            ({ path }) => path === name || path.startsWith(`${name}.`),
          );
          if (found.length === 0) throw new Error(unknownTool(name, rows));
          return found.map(({ text }) => text);
        })
        .join("\n\n");
    },
  };
}

/** The tools that fit some words, the best first. */
function best(rows: readonly Row[], words: string, count: number): Row[] {
  const wanted = stemsIn(words);
  return rows
    .map((row) => ({ row, fit: fitOf(row, wanted) }))
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit)
    .slice(0, count)
    .map(({ row }) => row);
}

/** How well a tool fits some words: its name counts more than its text. */
function fitOf({ path, line, text }: Row, wanted: readonly string[]): number {
  const parts = [path, line, text].map((part) => new Set(stemsIn(part)));
  return wanted.reduce((sum, word) => {
    const at = parts.findIndex((part) => part.has(word));
    return at < 0 ? sum : sum + 4 / 2 ** at;
  }, 0);
}

/** The words of a text, without the endings that most often differ. */
function stemsIn(text: string): string[] {
  const words = text.replace(/([a-z\d])([A-Z])/g, "$1 $2").toLowerCase();
  return (words.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) =>
    word.length > 3 ? word.replace(/(?:ies|y)$/, "i").replace(/s$/, "") : word,
  );
}

/** What a model is told about a tool that does not exist. */
function unknownTool(name: string, rows: readonly Row[]): string {
  const alike = best(rows, name, 3).map(({ path }) => path);
  const hint =
    alike.length === 0 ? "Search for it." : `Alike: ${alike.join(", ")}.`;
  return `There is no tool ${name}. ${hint}`;
}
