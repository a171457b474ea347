import { Project, ts } from "ts-morph";

export interface SourceText {
  /** With forward slashes. */
  readonly path: string;
  readonly text: string;
}

export interface MigrateOptions {
  /** The methods of requests and notifications by the names of their types. */
  readonly methods: ReadonlyMap<string, string>;
  /** The codes of errors by their names in lower case, without underscores. */
  readonly codes: ReadonlyMap<string, unknown>;
  /** The major version of zod that a file imports as "zod". */
  readonly zodOf: (path: string) => number;
  /** How a file imports the generated protocol. */
  readonly protocolOf: (path: string) => string;
}

const guides = "https://github.com/mcpgen/mcpgen/blob/main/test/examples";

/** The page for what is left in a server of version 1 of the official SDK. */
export const page = `${guides}/official-sdk/README.md#move-a-server`;

/** The same with the page for what a file imports. */
export function withPageFor(text: string, hint: string): string {
  const anchor = /["']fastmcp["']/.test(text)
    ? "from-fastmcp"
    : /["']@modelcontextprotocol\/(server|core|node)["'/]/.test(text)
      ? "from-version-2-of-the-official-sdk"
      : undefined;
  return anchor === undefined
    ? hint
    : hint.replace(page, `${guides}/move/README.md#${anchor}`);
}

/**
 * What marks a place of a text until it is finished: characters that no source
 * has in a row, so that no text of a user is taken for it. Alone it stands
 * behind a line break inside a literal, where no indentation may be added.
 */
function markFor(texts: readonly string[]): string {
  const whole = texts.join("");
  let mark = "\ue000";
  while (whole.includes(mark)) mark += "\ue000";
  return mark;
}

/** A change of a part of a file. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text of one file, and its changes by position. */
export class File {
  readonly tree: ts.SourceFile;
  readonly mark: string;
  /**
   * True if all lines of the file end with CRLF; in `tree` they end with LF.
   */
  readonly isCrlf: boolean;
  /** What a person has to change. */
  readonly places: { readonly message: string; readonly hint: string }[] = [];
  /** What ends the run, each with its place in `tree`. */
  readonly refused: {
    readonly at: number;
    readonly message: string;
    readonly hint: string;
  }[] = [];
  /** Names to import, by module, each with its name here. */
  readonly imports = new Map<string, Map<string, string>>();
  /** The number of rows that it got. */
  rows = 0;
  /** In the order of their starts. */
  readonly #edits: Edit[] = [];

  constructor(tree: ts.SourceFile, mark: string, isCrlf: boolean) {
    this.tree = tree;
    this.mark = mark;
    this.isCrlf = isCrlf;
    for (const token of all(tree, ts.isTemplateLiteralToken))
      for (const { index } of token.getText().matchAll(/(?<=\n)/g))
        this.replace(token.getStart() + index, token.getStart() + index, mark);
  }

  /**
   * Replaces a part, with the changes inside; what is inserted at its end
   * stays.
   */
  replace(start: number, end: number, text: string): void {
    const [from, to] = this.#range(start, end);
    const kept = this.#edits
      .slice(from, to)
      .filter((edit) => edit.end > end || edit.start === end);
    const isBefore = (edit: Edit): boolean => edit.start === start;
    this.#edits.splice(
      from,
      to - from,
      ...kept.filter(isBefore),
      { start, end, text },
      ...kept.filter((edit) => !isBefore(edit)),
    );
  }

  /** Where the changes are that start in a part, or at its end. */
  #range(start: number, end: number): readonly [from: number, to: number] {
    const edits = this.#edits;
    let [from, high] = [0, edits.length];
    while (from < high) {
      const middle = (from + high) >> 1;
      if ((edits[middle]?.start ?? 0) < start) from = middle + 1;
      else high = middle;
    }
    let to = from;
    while ((edits[to]?.start ?? Infinity) <= end) to += 1;
    return [from, to];
  }

  /** Changes the indentation of all lines of a text but the first. */
  indent(text: string, from: string, to: string): string {
    const lines = new RegExp(`\n${from}(?!${this.mark}|\n)`, "gu");
    return text.replaceAll(lines, `\n${to}`);
  }

  /** True if a change is more than the mark of a place. */
  get isChanged(): boolean {
    const { text } = this.tree;
    const { text: after } = withoutMarks(this.slice(0, text.length), this.mark);
    return after !== text;
  }

  /** A part with its changes. */
  slice(start: number, end: number): string {
    const inside = this.#edits
      .slice(...this.#range(start, end))
      .filter((edit) => edit.end <= end && edit.start < end);
    let text = "";
    let at = start;
    for (const edit of inside.sort(
      (a, b) => a.start - b.start || a.end - b.end,
    )) {
      // What is inside a replaced part is gone.
      if (edit.start < at) continue;
      text += this.tree.text.slice(at, edit.start) + edit.text;
      at = edit.end;
    }
    return text + this.tree.text.slice(at, end);
  }
}

/** A function that can be a handler. */
export type HandlerNode = Exclude<
  ts.FunctionLikeDeclaration,
  ts.ConstructorDeclaration
>;

/** How the old libraries ask the client. */
const questions =
  /\.(elicitInput|createMessage|listRoots|requestSampling|elicit)\(|["'](elicitation\/create|sampling\/createMessage|roots\/list)["']/;

/** All files of a run, which may import each other. */
export class Program {
  readonly options: MigrateOptions;
  readonly files: ReadonlyMap<string, File>;
  /** The handlers of the rows, each with its old parameters. */
  readonly handlers = new Map<HandlerNode, readonly string[]>();
  /** How many parameters a handler has now, if it got the context. */
  readonly added = new Map<ts.Node, number>();
  /** True if a handler asks the client. */
  readonly isAsking: boolean;
  readonly #checker: ts.TypeChecker;

  constructor(sources: readonly SourceText[], options: MigrateOptions) {
    const [module, moduleResolution] = [
      ts.ModuleKind.ESNext,
      ts.ModuleResolutionKind.Bundler,
    ];
    const compilerOptions = {
      allowJs: true,
      noLib: true,
      types: [],
      module,
      moduleResolution,
    };
    const project = new Project({
      useInMemoryFileSystem: true,
      skipLoadingLibFiles: true,
      compilerOptions,
    });
    const mark = markFor(sources.map(({ text }) => text));
    const files = sources.map(({ path, text }) => {
      const isCrlf = /\r\n/.test(text) && !/(?<!\r)\n/.test(text);
      const made = project.createSourceFile(
        path,
        isCrlf ? text.replaceAll("\r\n", "\n") : text,
      );
      return new File(made.compilerNode, mark, isCrlf);
    });
    this.files = new Map(files.map((file) => [file.tree.fileName, file]));
    this.options = options;
    this.isAsking = sources.some(({ text }) => questions.test(text));
    this.#checker = project.getTypeChecker().compilerObject;
  }

  fileOf(node: ts.Node): File {
    return this.files.get(node.getSourceFile().fileName) as File;
  }

  /**
   * The text of a node after its changes, as if it began a line at the margin.
   */
  textOf(node: ts.Node, start = node.getStart(), end = node.end): string {
    const file = this.fileOf(node);
    return file.indent(file.slice(start, end), marginOf(node), "");
  }

  replace(
    node: ts.Node,
    text: string,
    start = node.getStart(),
    end = node.end,
  ): void {
    this.fileOf(node).replace(start, end, text);
  }

  /** Removes a statement with its comments. */
  remove(statement: ts.Node): void {
    this.replace(statement, "", startOf(statement));
  }

  /**
   * Leaves a node as it is, and names it. A comment keeps the place until the
   * text is finished.
   */
  leave(node: ts.Node, message: string, hint: string): void {
    const { places, mark } = this.fileOf(node);
    this.replace(
      node,
      `/*${mark}${places.length}*/`,
      node.getStart(),
      node.getStart(),
    );
    places.push({ message, hint });
  }

  /**
   * The symbol that a name or a member refers to, also through imports and
   * exports.
   */
  symbolOf(node: ts.Node): ts.Symbol | undefined {
    const name = ts.isPropertyAccessExpression(node) ? node.name : node;
    const symbol = ts.isShorthandPropertyAssignment(name.parent)
      ? this.#checker.getShorthandAssignmentValueSymbol(name.parent)
      : this.#checker.getSymbolAtLocation(name);
    if (symbol === undefined || (symbol.flags & ts.SymbolFlags.Alias) === 0)
      return symbol;
    const target = this.#checker.getAliasedSymbol(symbol);
    return target.declarations === undefined ? symbol : target;
  }

  /** Finds all uses of a symbol in a node. */
  usesOf(symbol: ts.Symbol, inside: ts.Node): ts.Identifier[] {
    return all(inside, ts.isIdentifier).filter(
      (node) => node.text === symbol.name && this.symbolOf(node) === symbol,
    );
  }

  /** The value of a name: a function, or the initial value of a constant. */
  valueOf(node: ts.Expression): ts.Node | undefined {
    const plain = unwrapped(node);
    if (!ts.isIdentifier(plain) && !ts.isPropertyAccessExpression(plain))
      return plain;
    const declaration = this.symbolOf(plain)?.declarations?.[0];
    const { initializer } = (declaration ?? {}) as {
      readonly initializer?: ts.Expression;
    };
    const isValue =
      initializer !== undefined && declaration && !ts.isParameter(declaration);
    return isValue ? unwrapped(initializer) : declaration;
  }

  /**
   * The module that a name comes from, and its name there: "*" for the whole
   * module.
   */
  importOf(
    node: ts.Node,
  ): { readonly module: string; readonly name: string } | undefined {
    if (ts.isPropertyAccessExpression(node)) {
      const whole = this.importOf(node.expression);
      return whole?.name === "*"
        ? { module: whole.module, name: node.name.text }
        : undefined;
    }
    const [made] =
      (ts.isIdentifier(node) &&
        this.#checker.getSymbolAtLocation(node)?.declarations) ||
      [];
    const module = moduleOf(
      ts.findAncestor(
        made,
        (one) => ts.isVariableDeclaration(one) || ts.isStatement(one),
      ),
    );
    if (made === undefined || module === undefined) return undefined;
    if (ts.isImportSpecifier(made) || ts.isBindingElement(made))
      return { module, name: (made.propertyName ?? made.name).getText() };
    return { module, name: ts.isImportClause(made) ? "default" : "*" };
  }

  /** The name of something of the old packages; undefined for all else. */
  sdkName(node: ts.Node): string | undefined {
    const found = this.importOf(node);
    return found !== undefined && isSdk(found.module) ? found.name : undefined;
  }

  /** A name that a file has no thing of its own for. */
  nameIn(file: File, name: string): string {
    const isOwn = all(file.tree, ts.isIdentifier).some((node) => {
      const { parent } = node;
      const isMember =
        ts.isPropertyAccessExpression(parent) ||
        ts.isPropertyAssignment(parent);
      return (
        node.text === name &&
        !(isMember && parent.name === node) &&
        this.sdkName(node) === undefined
      );
    });
    return isOwn ? `mcp${name.charAt(0).toUpperCase()}${name.slice(1)}` : name;
  }

  /**
   * Adds an import, and returns the name to use. A name that begins with "type "
   * is that of a type.
   */
  need(file: File, module: string, name: string): string {
    const known = file.imports.get(module)?.get(name);
    if (known !== undefined) return known;
    const local = this.nameIn(file, name.replace(/^type /, ""));
    file.imports.set(
      module,
      (file.imports.get(module) ?? new Map<string, string>()).set(name, local),
    );
    return local;
  }
}

/**
 * The text without the comments of places, and where each place is, by its
 * number.
 */
export function withoutMarks(
  text: string,
  mark: string,
): {
  readonly text: string;
  readonly at: readonly number[];
} {
  const at: number[] = [];
  let removed = 0;
  const marks = new RegExp(`/\\*${mark}(\\d+)\\*/|${mark}`, "gu");
  const plain = text.replaceAll(
    marks,
    (found, number: string | undefined, index: number) => {
      if (number !== undefined) at[Number(number)] = index - removed;
      removed += found.length;
      return "";
    },
  );
  return { text: plain, at };
}

/** Where the line of a statement's first comment begins. */
export const startOf = (statement: ts.Node): number =>
  statement.pos +
  Math.max(
    0,
    statement
      .getFullText()
      .slice(0, statement.getLeadingTriviaWidth())
      .indexOf("\n"),
  );

/** The indentation of the line where a node begins. */
export function marginOf(node: ts.Node): string {
  const { text } = node.getSourceFile();
  const line = text.lastIndexOf("\n", node.getStart() - 1) + 1;
  return /^[ \t]*/.exec(text.slice(line, node.getStart()))?.[0] ?? "";
}

/** Calls `act` for a node and all nodes inside. */
export function visit(node: ts.Node, act: (node: ts.Node) => void): void {
  act(node);
  ts.forEachChild(node, (child) => visit(child, act));
}

/** All nodes of one kind. */
export function all<T extends ts.Node>(
  inside: ts.Node,
  is: (node: ts.Node) => node is T,
): T[] {
  const found: T[] = [];
  visit(inside, (node) => void (is(node) && found.push(node)));
  return found;
}

const wrappers: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.ParenthesizedExpression,
  ts.SyntaxKind.AsExpression,
  ts.SyntaxKind.SatisfiesExpression,
  ts.SyntaxKind.AwaitExpression,
  ts.SyntaxKind.VoidExpression,
]);

/**
 * Without `await`, `as`, `satisfies`, parentheses, and the `(0, f)` of
 * compilers.
 */
export function unwrapped(node: ts.Expression): ts.Expression {
  if (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.CommaToken
  )
    return unwrapped(node.right);
  return wrappers.has(node.kind)
    ? unwrapped((node as ts.AwaitExpression).expression)
    : node;
}

/** The value of a member of an object literal. */
export function member(
  object: ts.ObjectLiteralExpression,
  name: string,
): ts.Expression | undefined {
  const property = object.properties.find(
    (one) => one.name?.getText() === name,
  );
  if (property && ts.isPropertyAssignment(property))
    return property.initializer;
  return property && ts.isShorthandPropertyAssignment(property)
    ? property.name
    : undefined;
}

/** True for the only variable of a statement. */
export const isAlone = ({ parent }: ts.VariableDeclaration): boolean =>
  ts.isVariableDeclarationList(parent) && parent.declarations.length === 1;

/** The module of an import, or of the variable of a `require`. */
const moduleOf = (node: ts.Node | undefined): string | undefined =>
  node && (ts.isImportDeclaration(node) || ts.isVariableDeclaration(node))
    ? /(?:^import[^]*|\brequire\(\s*)["']([^"']+)["']\s*\)*;?$/.exec(
        node.getText(),
      )?.[1]
    : undefined;

/** The packages whose servers are converted. */
const isSdk = (module: string): boolean =>
  /^(@modelcontextprotocol\/(sdk|server|core|node|express|hono|fastify)(\/|$)|fastmcp$)/.test(
    module,
  );

/**
 * Removes what nothing uses any more, of the old packages and because of the
 * changes, and adds what the new text needs.
 */
export function withImports(file: File, protocol: string): string {
  const { places, imports } = file;
  const text = file.slice(0, file.tree.end);
  const tree = ts.createSourceFile(
    file.tree.fileName,
    text,
    ts.ScriptTarget.Latest,
    true,
  );
  const edits = new File(tree, file.mark, file.isCrlf);
  const isKept = usesOf(file, tree);
  let at: number | undefined;
  for (const statement of tree.statements) {
    const node = ts.isVariableStatement(statement)
      ? statement.declarationList.declarations[0]
      : statement;
    const module = moduleOf(node);
    if (module === undefined) continue;
    const start = statement.getStart();
    if (isSdk(module)) at ??= start;
    const names = all(statement, ts.isIdentifier).filter(
      ({ text: name, parent }) =>
        name !== "require" &&
        !(ts.isImportSpecifier(parent) && parent.name.text !== name),
    );
    const kept = names.filter(({ text: name }) => isKept(name, module));
    if (!isSdk(module) && kept.length === names.length) continue;
    if (kept.length === 0) {
      edits.replace(
        start,
        statement.end + (text[statement.end] === "\n" ? 1 : 0),
        "",
      );
      continue;
    }
    const specifiers = all(statement, ts.isImportSpecifier);
    const [first, last] = [specifiers[0], specifiers.at(-1)];
    const list = specifiers
      .filter(({ name }) => kept.includes(name))
      .map((one) => one.getText());
    if (first && last)
      edits.replace(first.getStart(), last.end, list.join(", "));
    if (!isSdk(module)) continue;
    edits.replace(start, start, `/*${file.mark}${places.length}*/`);
    places.push({
      message: `${module} is still used`,
      hint: `replace what uses it: ${page}`,
    });
  }
  const isCommonJs =
    !/^(import|export)\b/m.test(text) && /\brequire\(/.test(text);
  const lines = linesOf(imports, protocol, isCommonJs);
  at ??= tree.statements[0]?.getStart() ?? 0;
  edits.replace(at, at, lines);
  return edits.slice(0, tree.end);
}

/**
 * Whether an imported name is kept: the new text uses it, or what was never used
 * is not of the old packages.
 */
function usesOf(
  { tree, imports }: File,
  converted: ts.SourceFile,
): (name: string, module: string) => boolean {
  const [before, after] = [tree, converted].map((one) =>
    all(one, ts.isIdentifier).map((node) => node.text),
  );
  const isUsed = (name: string, list: readonly string[] = []): boolean =>
    list.indexOf(name) !== list.lastIndexOf(name);
  // A name that the new text imports from elsewhere is used as that.
  const imported = new Set(
    [...imports.values()].flatMap((names) => [...names.values()]),
  );
  return (name, module) =>
    !imported.has(name) &&
    (isUsed(name, after) || !(isSdk(module) || isUsed(name, before)));
}

/** The lines that import what a file needs. */
function linesOf(
  imports: File["imports"],
  protocol: string,
  isCommonJs: boolean,
): string {
  const lines = [...imports].sort().map(([module, names]) => {
    const from = JSON.stringify(module === "gen" ? protocol : module);
    const colon = isCommonJs ? ":" : " as";
    const list = [...names]
      .sort()
      .map(([name, local]) =>
        name === local || name === `type ${local}`
          ? name
          : `${name}${colon} ${local}`,
      );
    const shown = `{ ${list.join(", ")} }`;
    return isCommonJs
      ? `const ${shown} = require(${from});\n`
      : `import ${shown} from ${from};\n`;
  });
  return lines.join("");
}
