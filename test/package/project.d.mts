/** A program of a user's own: a generated client against a generated server, in memory. Prints what the tool said. */
export declare const talk: string;
/** The configuration of a user who is as strict as one may be. */
export declare const tsconfig: string;
