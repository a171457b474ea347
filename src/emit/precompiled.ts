/** A template as Handlebars compiles it ahead of time, so that the program need not parse it. */
export interface Precompiled {
  readonly parts: readonly Part[];
  readonly spec: TemplateSpecification;
}

/** A part that a template names, and where it does. */
export interface Part {
  readonly name: string;
  readonly loc: hbs.AST.SourceLocation;
}

/** Templates that need not be parsed, by their text. */
export const precompiled = new Map<string, Precompiled>();
