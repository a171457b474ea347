import { type Code, code, generic, literal, unionCode } from "../typescript/code.js";
import type { ProjectClientView } from "./client.js";

/** `adapters.ts`: the official SDK's clients as the connection that a project's client needs. */
export interface AdaptersView extends ProjectClientView {
  /** Is there anything that both versions of the SDK do alike? */
  readonly hasCommon: boolean;
  /** The type of that part of a caller. */
  readonly common: Code;
  /** Is each resource watched by a request of its own? */
  readonly isSubscribing: boolean;
  /** Are resources watched by a stream? */
  readonly isStreaming: boolean;
}

/** Null when a server offers nothing that is called. */
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
