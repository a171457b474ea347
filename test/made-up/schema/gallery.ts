/*
 * An extension that nobody has published, without a method of its own: tools name a picture in their metadata, and results
 * say where it hung.
 */
import type { ContentBlock } from "../../../schema/2026-07-28/schema.js";

export const EXTENSION_IDENTIFIER = "com.example/gallery";

/** A picture and who may look at it. */
export interface Frame {
  pictureUri: string;
  visitors?: ("model" | "app")[];
  caption?: ContentBlock;

  /** A picture is not for sale. */
  price?: never;

  /** What is not fixed has a limit, or none. */
  size?: ({ height: number } | { maxHeight?: number | undefined }) &
    ({ width: number } | { maxWidth?: number | undefined });
  colours?: Record<Edge, string | undefined>;
}

export type Edge = Side | "middle";
export type Side = "left" | "right";

/** As declaration files write constants. */
export declare const HUNG: Hung["method"];
export interface Hung {
  method: "gallery/hung";
}

/** Where something hung, and when it was there last. */
export interface Hanging {
  wall: number;
}

export interface Tool {
  _meta?: { frame?: Frame };
}

/** An object with a name adds as well as one without. */
export interface CallToolResult {
  _meta?: Hanging;
}

export interface ServerCapabilities {
  tools?: { framed?: boolean };
}
