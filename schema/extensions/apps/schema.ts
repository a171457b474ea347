/**
 * The MCP Apps extension: a host shows the results of a tool in a web page of the server, the view. The types are the metadata
 * of tools and resources, and the messages between the view and its host, which do not pass through the server. The last part
 * adds to types of the revision.
 */
import type {
  CallToolResult,
  ContentBlock,
  EmbeddedResource,
  Implementation,
  RequestId,
  ResourceLink,
  Tool as ListedTool,
} from "../../2026-07-28/schema.js";

/** The key under which both sides declare the extension. */
export const EXTENSION_IDENTIFIER = "io.modelcontextprotocol/ui";

/** The version of the protocol between view and host. */
export const LATEST_PROTOCOL_VERSION = "2026-01-26";

/** Whether the host is light or dark. */
export type McpUiTheme = "light" | "dark";

/** Where a view is shown: in the conversation, over everything, or in a small window on top. */
export type McpUiDisplayMode = "inline" | "fullscreen" | "pip";

/** The CSS variables that a host may set for its views. */
export type McpUiStyleVariableKey =
  | "--color-background-primary"
  | "--color-background-secondary"
  | "--color-background-tertiary"
  | "--color-background-inverse"
  | "--color-background-ghost"
  | "--color-background-info"
  | "--color-background-danger"
  | "--color-background-success"
  | "--color-background-warning"
  | "--color-background-disabled"
  | "--color-text-primary"
  | "--color-text-secondary"
  | "--color-text-tertiary"
  | "--color-text-inverse"
  | "--color-text-ghost"
  | "--color-text-info"
  | "--color-text-danger"
  | "--color-text-success"
  | "--color-text-warning"
  | "--color-text-disabled"
  | "--color-border-primary"
  | "--color-border-secondary"
  | "--color-border-tertiary"
  | "--color-border-inverse"
  | "--color-border-ghost"
  | "--color-border-info"
  | "--color-border-danger"
  | "--color-border-success"
  | "--color-border-warning"
  | "--color-border-disabled"
  | "--color-ring-primary"
  | "--color-ring-secondary"
  | "--color-ring-inverse"
  | "--color-ring-info"
  | "--color-ring-danger"
  | "--color-ring-success"
  | "--color-ring-warning"
  | "--font-sans"
  | "--font-mono"
  | "--font-weight-normal"
  | "--font-weight-medium"
  | "--font-weight-semibold"
  | "--font-weight-bold"
  | "--font-text-xs-size"
  | "--font-text-sm-size"
  | "--font-text-md-size"
  | "--font-text-lg-size"
  | "--font-heading-xs-size"
  | "--font-heading-sm-size"
  | "--font-heading-md-size"
  | "--font-heading-lg-size"
  | "--font-heading-xl-size"
  | "--font-heading-2xl-size"
  | "--font-heading-3xl-size"
  | "--font-text-xs-line-height"
  | "--font-text-sm-line-height"
  | "--font-text-md-line-height"
  | "--font-text-lg-line-height"
  | "--font-heading-xs-line-height"
  | "--font-heading-sm-line-height"
  | "--font-heading-md-line-height"
  | "--font-heading-lg-line-height"
  | "--font-heading-xl-line-height"
  | "--font-heading-2xl-line-height"
  | "--font-heading-3xl-line-height"
  | "--border-radius-xs"
  | "--border-radius-sm"
  | "--border-radius-md"
  | "--border-radius-lg"
  | "--border-radius-xl"
  | "--border-radius-full"
  | "--border-width-regular"
  | "--shadow-hairline"
  | "--shadow-sm"
  | "--shadow-md"
  | "--shadow-lg";

/** Values of CSS variables. A host may leave any of them out. */
export type McpUiStyles = Record<McpUiStyleVariableKey, string | undefined>;

/** Asks the host to open an address outside the view. */
export interface McpUiOpenLinkRequest {
  method: "ui/open-link";
  params: {
    /** The address. */
    url: string;
  };
}

/** Says whether the address was opened. */
export interface McpUiOpenLinkResult {
  /** True if it was not opened. */
  isError?: boolean;
  /** Members of later versions. */
  [key: string]: unknown;
}

/** Asks the host to save files, which a view cannot do itself. */
export interface McpUiDownloadFileRequest {
  method: "ui/download-file";
  params: {
    /** The files, with their bytes or as links that the host follows. */
    contents: (EmbeddedResource | ResourceLink)[];
  };
}

/** Says whether the files were saved. */
export interface McpUiDownloadFileResult {
  /** True if they were not saved. */
  isError?: boolean;
  /** Members of later versions. */
  [key: string]: unknown;
}

/** Asks the host to add a message of the user to the conversation. */
export interface McpUiMessageRequest {
  method: "ui/message";
  params: {
    /** Whose message it is. */
    role: "user";
    /** What it says. */
    content: ContentBlock[];
  };
}

/** Says whether the message was added. */
export interface McpUiMessageResult {
  /** True if it was not added. */
  isError?: boolean;
  /** Members of later versions. */
  [key: string]: unknown;
}

/**
 * Says that the outer frame is ready for the page.
 *
 * @internal
 */
export interface McpUiSandboxProxyReadyNotification {
  method: "ui/notifications/sandbox-proxy-ready";
  params: {};
}

/**
 * Gives the outer frame the page to show.
 *
 * @internal
 */
export interface McpUiSandboxResourceReadyNotification {
  method: "ui/notifications/sandbox-resource-ready";
  params: {
    /** The page. */
    html: string;
    /** The attribute `sandbox` of the inner frame. Absent leaves it to the outer frame. */
    sandbox?: string;
    /** The origins that the page needs. */
    csp?: McpUiResourceCsp;
    /** What the page asks the browser for. */
    permissions?: McpUiResourcePermissions;
  };
}

/** Says how large the view is now. */
export interface McpUiSizeChangedNotification {
  method: "ui/notifications/size-changed";
  params: {
    /** The width in pixels. */
    width?: number;
    /** The height in pixels. */
    height?: number;
  };
}

/** Gives the view the arguments of the call. */
export interface McpUiToolInputNotification {
  method: "ui/notifications/tool-input";
  params: {
    /** All arguments. */
    arguments?: Record<string, unknown>;
  };
}

/** Gives the view the arguments that the model has written so far. */
export interface McpUiToolInputPartialNotification {
  method: "ui/notifications/tool-input-partial";
  params: {
    /** The arguments so far, which may still change. */
    arguments?: Record<string, unknown>;
  };
}

/** Gives the view the result of the call. */
export interface McpUiToolResultNotification {
  method: "ui/notifications/tool-result";
  /** The result. */
  params: CallToolResult;
}

/** Says that the call was cancelled. */
export interface McpUiToolCancelledNotification {
  method: "ui/notifications/tool-cancelled";
  params: {
    /** Why, in words for people. */
    reason?: string;
  };
}

/** Style sheets of the host. */
export interface McpUiHostCss {
  /** Rules that load the fonts of the host. */
  fonts?: string;
}

/** What a view needs to look like its host. */
export interface McpUiHostStyles {
  /** Values of CSS variables. */
  variables?: McpUiStyles;
  /** Style sheets that the view may add to itself. */
  css?: McpUiHostCss;
}

/** What a view knows about its host. A notification has only the members that changed. */
export interface McpUiHostContext {
  /** Members of later versions. */
  [key: string]: unknown;
  /** The call that the view was made for. */
  toolInfo?: {
    /** The id of the `tools/call` request. */
    id?: RequestId;
    /** The tool that was called. */
    tool: ListedTool;
  };
  /** Whether the host is light or dark. */
  theme?: McpUiTheme;
  /** What the view needs to look like the host. */
  styles?: McpUiHostStyles;
  /** Where the view is shown now. */
  displayMode?: McpUiDisplayMode;
  /** Where the host can show views. */
  availableDisplayModes?: McpUiDisplayMode[];
  /** The size of the frame around the view: in each direction fixed, or limited, or free. */
  containerDimensions?: (
    | {
        /** The height of the frame in pixels. */
        height: number;
      }
    | {
        /** The highest that the view may become, in pixels. */
        maxHeight?: number | undefined;
      }
  ) &
    (
      | {
          /** The width of the frame in pixels. */
          width: number;
        }
      | {
          /** The widest that the view may become, in pixels. */
          maxWidth?: number | undefined;
        }
    );
  /** The language and region of the user, as in BCP 47. */
  locale?: string;
  /** The time zone of the user, as in the IANA database. */
  timeZone?: string;
  /** The name of the host application. */
  userAgent?: string;
  /** The kind of device that the host runs on. */
  platform?: "web" | "desktop" | "mobile";
  /** How the user can point at things. */
  deviceCapabilities?: {
    /** The device has a touch screen. */
    touch?: boolean;
    /** The device has a pointer that hovers. */
    hover?: boolean;
  };
  /** The margins that parts of the device may cover, in pixels. */
  safeAreaInsets?: {
    /** The margin at the top. */
    top: number;
    /** The margin at the right. */
    right: number;
    /** The margin at the bottom. */
    bottom: number;
    /** The margin at the left. */
    left: number;
  };
}

/** Says what changed about the host. */
export interface McpUiHostContextChangedNotification {
  method: "ui/notifications/host-context-changed";
  /** The members that changed. */
  params: McpUiHostContext;
}

/** Tells the host what the model should know at its next turn. Replaces what the view told it before. */
export interface McpUiUpdateModelContextRequest {
  method: "ui/update-model-context";
  params: {
    /** For the model to read. */
    content?: ContentBlock[];
    /** The same as data. */
    structuredContent?: Record<string, unknown>;
  };
}

/** Asks the view to finish, because the host is about to remove it. */
export interface McpUiResourceTeardownRequest {
  method: "ui/resource-teardown";
  params: {};
}

/** Says that the view has finished. */
export interface McpUiResourceTeardownResult {
  /** Members of later versions. */
  [key: string]: unknown;
}

/** The kinds of content that a host takes from a view. */
export interface McpUiSupportedContentBlockModalities {
  /** Text. */
  text?: {};
  /** Images. */
  image?: {};
  /** Sound. */
  audio?: {};
  /** Embedded resources. */
  resource?: {};
  /** Links to resources. */
  resourceLink?: {};
  /** Structured content. */
  structuredContent?: {};
}

/** Asks the host to end the view. The host decides, and sends `ui/resource-teardown` first. */
export interface McpUiRequestTeardownNotification {
  method: "ui/notifications/request-teardown";
  params?: {};
}

/** What a host does for its views. */
export interface McpUiHostCapabilities {
  /** Trial features, by name. */
  experimental?: Record<string, object>;
  /** It answers `ui/open-link`. */
  openLinks?: {};
  /** It answers `ui/download-file`. */
  downloadFile?: {};
  /** It passes calls of tools on to the server. */
  serverTools?: {
    /** It passes on that the list of tools changed. */
    listChanged?: boolean;
  };
  /** It passes requests to read resources on to the server. */
  serverResources?: {
    /** It passes on that the list of resources changed. */
    listChanged?: boolean;
  };
  /** It takes log messages. */
  logging?: {};
  /** What the frame around the view allows. */
  sandbox?: {
    /** What the view gets of what it asked the browser for. */
    permissions?: McpUiResourcePermissions;
    /** The origins that the view may use. */
    csp?: McpUiResourceCsp;
  };
  /** It answers `ui/update-model-context` with these kinds of content. */
  updateModelContext?: McpUiSupportedContentBlockModalities;
  /** It answers `ui/message` with these kinds of content. */
  message?: McpUiSupportedContentBlockModalities;
  /** It answers `sampling/createMessage`. */
  sampling?: {
    /** It honours `tools` and `toolChoice`. */
    tools?: {};
  };
}

/** What a view does for its host. */
export interface McpUiAppCapabilities {
  /** Trial features, by name. */
  experimental?: Record<string, object>;
  /** It has tools of its own. */
  tools?: {
    /** It announces that the list of its tools changed. */
    listChanged?: boolean;
  };
  /** Where it can be shown. */
  availableDisplayModes?: McpUiDisplayMode[];
}

/** The first message of a view. */
export interface McpUiInitializeRequest {
  method: "ui/initialize";
  params: {
    /** The name and version of the view. */
    appInfo: Implementation;
    /** What the view does for the host. */
    appCapabilities: McpUiAppCapabilities;
    /** The version of the protocol that the view speaks. */
    protocolVersion: string;
  };
}

/** The answer of the host to the first message of a view. */
export interface McpUiInitializeResult {
  /** The version of the protocol that both speak. */
  protocolVersion: string;
  /** The name and version of the host. */
  hostInfo: Implementation;
  /** What the host does for the view. */
  hostCapabilities: McpUiHostCapabilities;
  /** What the view should know about the host. */
  hostContext: McpUiHostContext;
  /** Members of later versions. */
  [key: string]: unknown;
}

/** Says that the view is ready for other messages. */
export interface McpUiInitializedNotification {
  method: "ui/notifications/initialized";
  params?: {};
}

/** The origins that a view needs. The host blocks all others. */
export interface McpUiResourceCsp {
  /** Origins that scripts may connect to. Absent or empty means none. */
  connectDomains?: string[];
  /** Origins of scripts, styles, fonts, images and media. Absent or empty means none. */
  resourceDomains?: string[];
  /** Origins of frames inside the view. Absent or empty means none. */
  frameDomains?: string[];
  /** Origins that the view may use as its base. Absent or empty means its own. */
  baseUriDomains?: string[];
}

/** What a view asks the browser for. The host may refuse it. */
export interface McpUiResourcePermissions {
  /** The camera. */
  camera?: {};
  /** The microphone. */
  microphone?: {};
  /** The place of the device. */
  geolocation?: {};
  /** Writing to the clipboard. */
  clipboardWrite?: {};
}

/** How a host shows a resource as a view. */
export interface McpUiResourceMeta {
  /** The origins that the view needs. */
  csp?: McpUiResourceCsp;
  /** What the view asks the browser for. */
  permissions?: McpUiResourcePermissions;
  /** The origin that the view should have, in the form that the host documents. */
  domain?: string;
  /** True if the host should draw a border, false if it should not. Absent leaves it to the host. */
  prefersBorder?: boolean;
}

/** Asks the host to show the view elsewhere. */
export interface McpUiRequestDisplayModeRequest {
  method: "ui/request-display-mode";
  params: {
    /** Where to show it. */
    mode: McpUiDisplayMode;
  };
}

/** Says where the view is shown now. */
export interface McpUiRequestDisplayModeResult {
  /** Where it is shown, which may be where it was. */
  mode: McpUiDisplayMode;
  /** Members of later versions. */
  [key: string]: unknown;
}

/** Who may use a tool: the model, or the view of a tool of the same server. */
export type McpUiToolVisibility = "model" | "app";

/** How a tool is connected with a view. */
export interface McpUiToolMeta {
  /** The `ui://` address of the resource that shows results of the tool. */
  resourceUri?: string;
  /** Who may use the tool. Absent means the model and the view. */
  visibility?: McpUiToolVisibility[];
  /** Always absent: it belongs to the resource. */
  csp?: never;
  /** Always absent: they belong to the resource. */
  permissions?: never;
}

/** The method of the request for a link. */
export const OPEN_LINK_METHOD = "ui/open-link";
/** The method of the request to save files. */
export const DOWNLOAD_FILE_METHOD = "ui/download-file";
/** The method of the request for a message of the user. */
export const MESSAGE_METHOD = "ui/message";
/** The method with which the outer frame says that it is ready. */
export const SANDBOX_PROXY_READY_METHOD = "ui/notifications/sandbox-proxy-ready";
/** The method that gives the outer frame the page. */
export const SANDBOX_RESOURCE_READY_METHOD = "ui/notifications/sandbox-resource-ready";
/** The method that says how large the view is. */
export const SIZE_CHANGED_METHOD = "ui/notifications/size-changed";
/** The method that gives the view the arguments of the call. */
export const TOOL_INPUT_METHOD = "ui/notifications/tool-input";
/** The method that gives the view the arguments so far. */
export const TOOL_INPUT_PARTIAL_METHOD = "ui/notifications/tool-input-partial";
/** The method that gives the view the result of the call. */
export const TOOL_RESULT_METHOD = "ui/notifications/tool-result";
/** The method that says that the call was cancelled. */
export const TOOL_CANCELLED_METHOD = "ui/notifications/tool-cancelled";
/** The method that says what changed about the host. */
export const HOST_CONTEXT_CHANGED_METHOD = "ui/notifications/host-context-changed";
/** The method with which a view asks for its end. */
export const REQUEST_TEARDOWN_METHOD = "ui/notifications/request-teardown";
/** The method that asks a view to finish. */
export const RESOURCE_TEARDOWN_METHOD = "ui/resource-teardown";
/** The method of the first message of a view. */
export const INITIALIZE_METHOD = "ui/initialize";
/** The method that says that the view is ready. */
export const INITIALIZED_METHOD = "ui/notifications/initialized";
/** The method of the request to show the view elsewhere. */
export const REQUEST_DISPLAY_MODE_METHOD = "ui/request-display-mode";

/** What a client that shows views declares. */
export interface McpUiClientCapabilities {
  /** The types of resources that it shows as views, such as `text/html;profile=mcp-app`. */
  mimeTypes?: string[];
}

// What the extension adds to types of the revision

/** A tool that may have a view. */
export interface Tool {
  _meta?: {
    /** How the tool is connected with a view. */
    ui?: McpUiToolMeta;
    /**
     * The address of the resource, as early hosts read it.
     *
     * @deprecated `ui.resourceUri` has it.
     */
    "ui/resourceUri"?: string;
  };
}

/** A resource that may be a view. */
export interface Resource {
  _meta?: {
    /** How a host shows the resource, unless its contents say otherwise. */
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

/** What a client declares. */
export interface ClientCapabilities {
  extensions?: {
    /** Settings of other extensions. */
    [key: string]: unknown;
    /** The client shows views. */
    "io.modelcontextprotocol/ui"?: McpUiClientCapabilities;
  };
}

/** What a server declares. */
export interface ServerCapabilities {
  extensions?: {
    /** Settings of other extensions. */
    [key: string]: unknown;
    /** The server has views. The extension defines no settings of servers. */
    "io.modelcontextprotocol/ui"?: {};
  };
}
