import type {
  CallOptions,
  CompletionCall,
  PromptCall,
  ResourceCall,
  StreamCall,
  ToolCall,
} from "./calls.js";

/** `CallOptions` as clients of the official SDK expect them. */
export interface SdkOptions {
  signal?: AbortSignal;
  timeout?: number;
  onprogress?: NonNullable<CallOptions["onProgress"]>;
}

/** A request of a client of the official SDK. It is the type of a method, so that the client may require more of its params. */
type SdkRequest<Call extends (params: never) => unknown> = {
  send(params: Parameters<Call>[0], options?: SdkOptions): Promise<unknown>;
}["send"];

/** The methods that the clients of both versions of the official SDK share. */
export interface SdkClient {
  getPrompt: SdkRequest<PromptCall>;
  readResource: SdkRequest<ResourceCall>;
  // The SDK has a type of its own for each kind of reference.
  complete(params: never, options?: SdkOptions): Promise<unknown>;
  subscribeResource: SdkRequest<ResourceCall>;
  unsubscribeResource: SdkRequest<ResourceCall>;
}

/** A `Client` of @modelcontextprotocol/sdk. */
export interface SdkV1 extends SdkClient {
  callTool(
    params: Parameters<ToolCall>[0],
    resultSchema?: undefined,
    options?: SdkOptions,
  ): Promise<unknown>;
}

type Listen = StreamCall<"resourceSubscriptions">;

/** A `Client` of @modelcontextprotocol/client. */
export interface SdkV2 extends SdkClient {
  callTool: SdkRequest<ToolCall>;
  listen(
    filter: Parameters<Listen>[0]["notifications"],
    options?: SdkOptions,
  ): Promise<{ readonly closed: Promise<unknown>; close(): Promise<void> }>;
}

/** The methods that the client of any project calls. */
export interface SdkCaller {
  readonly callTool: ToolCall;
  readonly getPrompt: PromptCall;
  readonly readResource: ResourceCall;
  readonly complete: CompletionCall;
  readonly subscribe: ResourceCall;
  readonly unsubscribe: ResourceCall;
  readonly listen: Listen;
}

/** Adapts a connected client of @modelcontextprotocol/sdk. */
export function fromSdkV1(client: SdkV1): SdkCaller {
  return {
    ...common(client),
    callTool: (params, options) =>
      client.callTool(withMeta(params, options), undefined, adapt(options)),
    listen: () =>
      Promise.reject(
        new Error("This SDK version does not support subscriptions/listen."),
      ),
  };
}

/** Adapts a connected client of @modelcontextprotocol/client. */
export function fromSdkV2(client: SdkV2): SdkCaller {
  return {
    ...common(client),
    callTool: (params, options) =>
      client.callTool(withMeta(params, options), adapt(options)),
    listen: async ({ notifications }, options) => {
      const stream = await client.listen(notifications, adapt(options));
      await stream.closed;
    },
  };
}

function common(client: SdkClient): Omit<SdkCaller, "callTool" | "listen"> {
  return {
    getPrompt(params, options) {
      return client.getPrompt(withMeta(params, options), adapt(options));
    },
    readResource(params, options) {
      return client.readResource(withMeta(params, options), adapt(options));
    },
    complete(params, options) {
      return client.complete(
        withMeta(params, options) as never,
        adapt(options),
      );
    },
    subscribe(params, options) {
      return client.subscribeResource(
        withMeta(params, options),
        adapt(options),
      );
    },
    unsubscribe(params, options) {
      return client.unsubscribeResource(
        withMeta(params, options),
        adapt(options),
      );
    },
  };
}

function withMeta<P extends object>(params: P, { meta }: CallOptions = {}): P {
  return meta === undefined ? params : { ...params, _meta: meta };
}

function adapt(options: CallOptions = {}): SdkOptions {
  const { signal, timeout, onProgress } = options;
  return {
    ...(signal === undefined ? {} : { signal }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(onProgress === undefined ? {} : { onprogress: onProgress }),
  };
}
