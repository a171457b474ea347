export type Level = "debug" | "info" | "error";
export type StopReason = "endTurn" | "maxTokens" | string;
export interface Sampled {
  stopReason?: "endTurn" | "stopSequence" | string;
  level: Level;
}
export type Mixed = "auto" | 0 | true | null;
