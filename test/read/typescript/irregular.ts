import type { Schema } from "../../../src/generator/ir/constraint.js";
import { flattenSchema } from "../../../src/generator/ir/flatten.js";
import { index } from "../../../src/generator/ir/lookup.js";
import type {
  NotificationMessage,
  Protocol,
  RequestMessage,
} from "../../../src/generator/ir/model.js";
import { reference } from "../../ir/schemas.js";
import { messageOf, revision } from "./reading.js";

/** The members of a schema, sorted. */
export function membersOf(protocol: Protocol, schema: Schema | null): string[] {
  const flat = schema === null ? null : flattenSchema(index(protocol), schema);
  return (flat?.properties ?? [])
    .map(({ name, optional }) => `${name}${optional ? "?" : ""}`)
    .sort();
}

export function membersOfNamed(protocol: Protocol, name: string): string[] {
  return membersOf(protocol, reference(name));
}

export async function request(
  name: string,
  method: string,
): Promise<RequestMessage> {
  const match = messageOf(await revision(name), method);
  if (match.kind !== "request") throw new Error(`${method} is not a request`);
  return match;
}

export async function notification(
  name: string,
  method: string,
): Promise<NotificationMessage> {
  const match = messageOf(await revision(name), method);
  if (match.kind !== "notification")
    throw new Error(`${method} is not a notification`);
  return match;
}
