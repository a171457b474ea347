export interface Odd {
  "io.example/version": string;
  "with space"?: number;
  default: boolean;
  constructor: string;
  __proto__?: { toString: null };
  "": 'say "it"';
}
export type then = Odd;
