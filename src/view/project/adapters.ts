import { type Code, code, generic, literal, unionCode } from "../typescript/code.js";
import type { ProjectClientView } from "./client.js";

/** `adapters.ts`: adapts clients of the official SDK to the connection that a project's client needs. */
export interface AdaptersView extends ProjectClientView {
  /** True if the adapters of both SDK versions have common parts. */
  readonly hasCommon: boolean;
  /** The type of the common part. */
  readonly common: Code;
  /** True if each resource is watched by its own request. */
  readonly isSubscribing: boolean;
  /** True if resources are watched by a stream. */
  readonly isStreaming: boolean;
}

/** Null if the server offers nothing to call. */
export function adaptersView(client: ProjectClientView): AdaptersView | null {
  const { hasTools, hasPrompts, hasResources, completion, subscription } = client;
  if (!hasTools && !hasPrompts && !hasResources) return null;
  const isStreaming = subscription?.isStream === true;
  const own = [
    ...(hasTools ? [literal(String(client.callTool.layout))] : []),
    ...(subscription !== null && isStreaming ? [literal(String(subscription.subscribe.layout))] : []),
  ];
  return {
    ...client,
    hasCommon: hasPrompts || hasResources || completion !== null,
    common: own.length === 0 ? code`Caller` : generic(code`Omit`, [code`Caller`, unionCode(own)]),
    isSubscribing: subscription !== null && !isStreaming,
    isStreaming,
  };
}
