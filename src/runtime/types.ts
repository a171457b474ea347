/** The params as a caller writes them: what goes into `_meta` is the engine's work, and the caller may add to it. */
export type CallParams<T> = { [K in keyof T as K extends "_meta" ? never : K]: T[K] } & {
  _meta?: "_meta" extends keyof T ? Partial<T["_meta"]> : never;
};

/** A result as a handler returns it: the engine fills the members named by `K` when they are left out. */
export type HandlerResult<T, K extends PropertyKey> = {
  [P in keyof T as P extends K ? never : P]: T[P];
} & { [P in K & keyof T]?: T[P] };
