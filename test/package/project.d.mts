/**
 * A program of a user's own: a generated client against a generated server, in
 * memory. Prints what the tool said.
 */
export declare const talk: string;
/** A configuration, and a program that uses the library with its types. */
export declare const library: string;
/** A program of CommonJS, in TypeScript, that uses mcpgen and its runtime. */
export declare const commonTalk: string;
/** A program of CommonJS that requires every entry of the packages. */
export declare const commonRequire: string;
/** The configuration for a package of CommonJS. */
export declare const commonTsconfig: string;
/** The configuration of a user who is as strict as one may be. */
export declare const tsconfig: string;
/** A program with a copied runtime and authorization. */
export declare const copied: string;
/** Its configuration. */
export declare const copiedTsconfig: string;
