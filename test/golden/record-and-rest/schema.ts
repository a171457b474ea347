export interface Note {
  text: string;
}
export interface Notes {
  [key: string]: Note;
}
export interface Schema {
  type: "object";
  properties?: { [key: string]: object };
  [key: string]: unknown;
}
export type Meta = Record<string, unknown>;
export interface Counted {
  counts: { [key: string]: number };
  byName?: { [key: string]: string | string[] };
}
