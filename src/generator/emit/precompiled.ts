/** A template that Handlebars compiled at build time. */
export interface Precompiled {
  readonly parts: readonly Part[];
  readonly spec: TemplateSpecification;
}

/** An include of a partial, and its location. */
export interface Part {
  readonly name: string;
  readonly loc: hbs.AST.SourceLocation;
}

/** The precompiled templates, by their text. */
export const precompiled = new Map<string, Precompiled>();
