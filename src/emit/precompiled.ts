/** A template that Handlebars compiled at build time. */
export interface Precompiled {
  readonly parts: readonly Part[];
  readonly spec: TemplateSpecification;
}

/** A part that a template names, and where it does. */
export interface Part {
  readonly name: string;
  readonly loc: hbs.AST.SourceLocation;
}

/** The precompiled templates, by their text. */
export const precompiled = new Map<string, Precompiled>();
