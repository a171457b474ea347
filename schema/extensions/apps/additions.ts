/**
 * What the text of the MCP Apps extension says and its schema does not: its key, and the members that it adds
 * to types of the revision.
 */
import type { McpUiClientCapabilities, McpUiResourceMeta, McpUiToolMeta } from "./schema.js";

/** The key under which both sides declare the extension. */
export const EXTENSION_IDENTIFIER = "io.modelcontextprotocol/ui";

/** A tool that may have a view. */
export interface Tool {
  _meta?: {
    /** Associates the tool with a view. */
    ui?: McpUiToolMeta;
    /**
     * The `ui://` URI of the resource, for early hosts.
     *
     * @deprecated Use `ui.resourceUri` instead.
     */
    "ui/resourceUri"?: string;
  };
}

/** A resource that may be a view. */
export interface Resource {
  _meta?: {
    /** How a host shows the resource. The metadata of the contents takes precedence. */
    ui?: McpUiResourceMeta;
  };
}

/** Contents of a resource that may be a view. */
export interface ResourceContents {
  _meta?: {
    /** How a host shows the contents. */
    ui?: McpUiResourceMeta;
  };
}

/** Capabilities of a client. */
export interface ClientCapabilities {
  extensions?: {
    /** Settings of other extensions. */
    [key: string]: unknown;
    /** The client shows views. */
    "io.modelcontextprotocol/ui"?: McpUiClientCapabilities;
  };
}

/** Capabilities of a server. */
export interface ServerCapabilities {
  extensions?: {
    /** Settings of other extensions. */
    [key: string]: unknown;
    /** The server provides views. The extension defines no settings for servers. */
    "io.modelcontextprotocol/ui"?: {};
  };
}
