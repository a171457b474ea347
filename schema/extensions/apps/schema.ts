/**
 * The MCP Apps extension, io.modelcontextprotocol/ui: a host shows the results of a tool in a web page of the
 * server, called the view. The types are the metadata of tools and resources, and the messages between the view
 * and its host, which do not pass through the server. What only its text says is in additions.ts.
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

/** The version of the protocol between view and host. */
export const LATEST_PROTOCOL_VERSION = "2026-01-26";

/** The theme of the host: light or dark. */
export type McpUiTheme = "light" | "dark";

/** How a view is shown: in the conversation, full screen, or in a small window on top. */
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

/** Values of CSS variables. A host may omit any of them. */
export type McpUiStyles = Record<McpUiStyleVariableKey, string | undefined>;

/** Requests that the host open a URL outside the view. */
export interface McpUiOpenLinkRequest {
  method: "ui/open-link";
  params: {
    /** The URL. */
    url: string;
  };
}

/** Reports whether the host opened the URL. */
export interface McpUiOpenLinkResult {
  /** True if the host did not open the URL. */
  isError?: boolean;
  /** Members that later versions define. */
  [key: string]: unknown;
}

/** Requests that the host save files, which a view cannot do. */
export interface McpUiDownloadFileRequest {
  method: "ui/download-file";
  params: {
    /** The files: embedded resources, or links that the host follows. */
    contents: (EmbeddedResource | ResourceLink)[];
  };
}

/** Reports whether the host saved the files. */
export interface McpUiDownloadFileResult {
  /** True if the host did not save the files. */
  isError?: boolean;
  /** Members that later versions define. */
  [key: string]: unknown;
}

/** Requests that the host add a user message to the conversation. */
export interface McpUiMessageRequest {
  method: "ui/message";
  params: {
    /** Role of the author of the message. */
    role: "user";
    /** Content of the message. */
    content: ContentBlock[];
  };
}

/** Reports whether the host added the message. */
export interface McpUiMessageResult {
  /** True if the host did not add the message. */
  isError?: boolean;
  /** Members that later versions define. */
  [key: string]: unknown;
}

/**
 * Reports that the outer frame is ready to receive the page.
 *
 * @internal
 */
export interface McpUiSandboxProxyReadyNotification {
  method: "ui/notifications/sandbox-proxy-ready";
  params: {};
}

/**
 * Sends the page to the outer frame.
 *
 * @internal
 */
export interface McpUiSandboxResourceReadyNotification {
  method: "ui/notifications/sandbox-resource-ready";
  params: {
    /** The page, as HTML. */
    html: string;
    /** The `sandbox` attribute of the inner frame. If absent, the outer frame chooses it. */
    sandbox?: string;
    /** The origins that the page needs. */
    csp?: McpUiResourceCsp;
    /** The browser permissions that the page requests. */
    permissions?: McpUiResourcePermissions;
  };
}

/** Reports the size of the view. */
export interface McpUiSizeChangedNotification {
  method: "ui/notifications/size-changed";
  params: {
    /** The width in pixels. */
    width?: number;
    /** The height in pixels. */
    height?: number;
  };
}

/** Sends the arguments of the tool call to the view. */
export interface McpUiToolInputNotification {
  method: "ui/notifications/tool-input";
  params: {
    /** All arguments. */
    arguments?: Record<string, unknown>;
  };
}

/** Sends the arguments that the model has generated so far to the view. */
export interface McpUiToolInputPartialNotification {
  method: "ui/notifications/tool-input-partial";
  params: {
    /** The arguments so far, which may still change. */
    arguments?: Record<string, unknown>;
  };
}

/** Sends the result of the tool call to the view. */
export interface McpUiToolResultNotification {
  method: "ui/notifications/tool-result";
  /** The result. */
  params: CallToolResult;
}

/** Reports that the tool call was cancelled. */
export interface McpUiToolCancelledNotification {
  method: "ui/notifications/tool-cancelled";
  params: {
    /** The reason, for people. */
    reason?: string;
  };
}

/** Style sheets of the host. */
export interface McpUiHostCss {
  /** CSS rules that load the fonts of the host. */
  fonts?: string;
}

/** Styles that make a view look like its host. */
export interface McpUiHostStyles {
  /** Values of CSS variables. */
  variables?: McpUiStyles;
  /** Style sheets that the view may apply. */
  css?: McpUiHostCss;
}

/** The state of the host, as known to a view. A notification has only the members that changed. */
export interface McpUiHostContext {
  /** Members that later versions define. */
  [key: string]: unknown;
  /** The tool call that the view belongs to. */
  toolInfo?: {
    /** The id of the `tools/call` request. */
    id?: RequestId;
    /** The tool that was called. */
    tool: ListedTool;
  };
  /** The theme of the host: light or dark. */
  theme?: McpUiTheme;
  /** Styles that make the view look like the host. */
  styles?: McpUiHostStyles;
  /** The current display mode of the view. */
  displayMode?: McpUiDisplayMode;
  /** The display modes that the host supports. */
  availableDisplayModes?: McpUiDisplayMode[];
  /** The size of the frame around the view. Each dimension is fixed, limited or unrestricted. */
  containerDimensions?: (
    | {
        /** The height of the frame in pixels. */
        height: number;
      }
    | {
        /** The maximum height of the view in pixels. */
        maxHeight?: number | undefined;
      }
  ) &
    (
      | {
          /** The width of the frame in pixels. */
          width: number;
        }
      | {
          /** The maximum width of the view in pixels. */
          maxWidth?: number | undefined;
        }
    );
  /** The language and region of the user, as a BCP 47 tag. */
  locale?: string;
  /** The time zone of the user, as a name of the IANA database. */
  timeZone?: string;
  /** The name of the host application. */
  userAgent?: string;
  /** The kind of device that the host runs on. */
  platform?: "web" | "desktop" | "mobile";
  /** The pointing methods that the device supports. */
  deviceCapabilities?: {
    /** The device has a touch screen. */
    touch?: boolean;
    /** The device has a pointer that can hover. */
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

/** Reports changes of the host context. */
export interface McpUiHostContextChangedNotification {
  method: "ui/notifications/host-context-changed";
  /** The members that changed. */
  params: McpUiHostContext;
}

/** Sets the context for the model's next turn. Replaces the context that the view sent before. */
export interface McpUiUpdateModelContextRequest {
  method: "ui/update-model-context";
  params: {
    /** Content for the model. */
    content?: ContentBlock[];
    /** The same content as structured data. */
    structuredContent?: Record<string, unknown>;
  };
}

/** Requests that the view clean up, because the host is about to remove it. */
export interface McpUiResourceTeardownRequest {
  method: "ui/resource-teardown";
  params: {};
}

/** Confirms that the view can be removed. */
export interface McpUiResourceTeardownResult {
  /** Members that later versions define. */
  [key: string]: unknown;
}

/** The kinds of content that a host accepts from a view. */
export interface McpUiSupportedContentBlockModalities {
  /** Text. */
  text?: {};
  /** Images. */
  image?: {};
  /** Audio. */
  audio?: {};
  /** Embedded resources. */
  resource?: {};
  /** Links to resources. */
  resourceLink?: {};
  /** Structured content. */
  structuredContent?: {};
}

/**
 * Requests that the host close the view. The host decides whether to close it, and sends
 * `ui/resource-teardown` first.
 */
export interface McpUiRequestTeardownNotification {
  method: "ui/notifications/request-teardown";
  params?: {};
}

/** Features that a host supports for its views. */
export interface McpUiHostCapabilities {
  /** Experimental features, by name. */
  experimental?: Record<string, object>;
  /** The host supports `ui/open-link`. */
  openLinks?: {};
  /** The host supports `ui/download-file`. */
  downloadFile?: {};
  /** The host forwards tool calls to the server. */
  serverTools?: {
    /** The host forwards notifications of changes to the list of tools. */
    listChanged?: boolean;
  };
  /** The host forwards requests to read resources to the server. */
  serverResources?: {
    /** The host forwards notifications of changes to the list of resources. */
    listChanged?: boolean;
  };
  /** The host accepts log messages. */
  logging?: {};
  /** What the frame around the view allows. */
  sandbox?: {
    /** The browser permissions that the host grants to the view. */
    permissions?: McpUiResourcePermissions;
    /** The origins that the view may use. */
    csp?: McpUiResourceCsp;
  };
  /** The host supports `ui/update-model-context` with these kinds of content. */
  updateModelContext?: McpUiSupportedContentBlockModalities;
  /** The host supports `ui/message` with these kinds of content. */
  message?: McpUiSupportedContentBlockModalities;
  /** The host supports `sampling/createMessage`. */
  sampling?: {
    /** The host supports `tools` and `toolChoice`. */
    tools?: {};
  };
}

/** Features that a view supports for its host. */
export interface McpUiAppCapabilities {
  /** Experimental features, by name. */
  experimental?: Record<string, object>;
  /** The view provides tools. */
  tools?: {
    /** The view sends a notification when the list of its tools changes. */
    listChanged?: boolean;
  };
  /** The display modes that the view supports. */
  availableDisplayModes?: McpUiDisplayMode[];
}

/** The first message of a view. */
export interface McpUiInitializeRequest {
  method: "ui/initialize";
  params: {
    /** The name and version of the view. */
    appInfo: Implementation;
    /** Features that the view supports. */
    appCapabilities: McpUiAppCapabilities;
    /** The version of the protocol that the view uses. */
    protocolVersion: string;
  };
}

/** The host's response to the first message of a view. */
export interface McpUiInitializeResult {
  /** The version of the protocol that both sides use. */
  protocolVersion: string;
  /** The name and version of the host. */
  hostInfo: Implementation;
  /** Features that the host supports. */
  hostCapabilities: McpUiHostCapabilities;
  /** The state of the host. */
  hostContext: McpUiHostContext;
  /** Members that later versions define. */
  [key: string]: unknown;
}

/** Reports that the view is ready to receive other messages. */
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
  /** Origins that the base URI of the view may have. Absent or empty means only its own origin. */
  baseUriDomains?: string[];
}

/** The browser permissions that a view requests. The host may refuse them. */
export interface McpUiResourcePermissions {
  /** Access to the camera. */
  camera?: {};
  /** Access to the microphone. */
  microphone?: {};
  /** Access to the location of the device. */
  geolocation?: {};
  /** Write access to the clipboard. */
  clipboardWrite?: {};
}

/** How a host shows a resource as a view. */
export interface McpUiResourceMeta {
  /** The origins that the view needs. */
  csp?: McpUiResourceCsp;
  /** The browser permissions that the view requests. */
  permissions?: McpUiResourcePermissions;
  /** The requested origin of the view, in the form that the host documents. */
  domain?: string;
  /** True if the host should draw a border, false if it should not. If absent, the host decides. */
  prefersBorder?: boolean;
}

/** Requests another display mode for the view. */
export interface McpUiRequestDisplayModeRequest {
  method: "ui/request-display-mode";
  params: {
    /** The requested display mode. */
    mode: McpUiDisplayMode;
  };
}

/** Reports the display mode of the view. */
export interface McpUiRequestDisplayModeResult {
  /** The current display mode, which may be unchanged. */
  mode: McpUiDisplayMode;
  /** Members that later versions define. */
  [key: string]: unknown;
}

/** Who may call a tool: the model, or the view of a tool of the same server. */
export type McpUiToolVisibility = "model" | "app";

/** Associates a tool with a view. */
export interface McpUiToolMeta {
  /** The `ui://` URI of the resource that shows the results of the tool. */
  resourceUri?: string;
  /** Who may call the tool. Default: the model and the view. */
  visibility?: McpUiToolVisibility[];
  /** Always absent: the member belongs to the resource. */
  csp?: never;
  /** Always absent: the member belongs to the resource. */
  permissions?: never;
}

/** The method of `McpUiOpenLinkRequest`. */
export const OPEN_LINK_METHOD = "ui/open-link";
/** The method of `McpUiDownloadFileRequest`. */
export const DOWNLOAD_FILE_METHOD = "ui/download-file";
/** The method of `McpUiMessageRequest`. */
export const MESSAGE_METHOD = "ui/message";
/** The method of `McpUiSandboxProxyReadyNotification`. */
export const SANDBOX_PROXY_READY_METHOD = "ui/notifications/sandbox-proxy-ready";
/** The method of `McpUiSandboxResourceReadyNotification`. */
export const SANDBOX_RESOURCE_READY_METHOD = "ui/notifications/sandbox-resource-ready";
/** The method of `McpUiSizeChangedNotification`. */
export const SIZE_CHANGED_METHOD = "ui/notifications/size-changed";
/** The method of `McpUiToolInputNotification`. */
export const TOOL_INPUT_METHOD = "ui/notifications/tool-input";
/** The method of `McpUiToolInputPartialNotification`. */
export const TOOL_INPUT_PARTIAL_METHOD = "ui/notifications/tool-input-partial";
/** The method of `McpUiToolResultNotification`. */
export const TOOL_RESULT_METHOD = "ui/notifications/tool-result";
/** The method of `McpUiToolCancelledNotification`. */
export const TOOL_CANCELLED_METHOD = "ui/notifications/tool-cancelled";
/** The method of `McpUiHostContextChangedNotification`. */
export const HOST_CONTEXT_CHANGED_METHOD = "ui/notifications/host-context-changed";
/** The method of `McpUiRequestTeardownNotification`. */
export const REQUEST_TEARDOWN_METHOD = "ui/notifications/request-teardown";
/** The method of `McpUiResourceTeardownRequest`. */
export const RESOURCE_TEARDOWN_METHOD = "ui/resource-teardown";
/** The method of `McpUiInitializeRequest`. */
export const INITIALIZE_METHOD = "ui/initialize";
/** The method of `McpUiInitializedNotification`. */
export const INITIALIZED_METHOD = "ui/notifications/initialized";
/** The method of `McpUiRequestDisplayModeRequest`. */
export const REQUEST_DISPLAY_MODE_METHOD = "ui/request-display-mode";

/** Capabilities of a client that shows views. */
export interface McpUiClientCapabilities {
  /** MIME types of the resources that the client shows as views, such as `text/html;profile=mcp-app`. */
  mimeTypes?: string[];
}
