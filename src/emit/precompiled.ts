/** What Handlebars makes of a template, so that nothing has to be parsed at run time. */
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
