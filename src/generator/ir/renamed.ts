import { messages } from "./facts.js";

/**
 * The method by which the rows of facts name a message: its own or, if a schema
 * has renamed it, that of other revisions. A message with the type of a known
 * method that the schema lacks is that message.
 */
export function factMethod(
  { method, name }: { readonly method: string; readonly name: string },
  all: readonly { readonly method: string }[],
): string {
  if (messages.some((row) => row.method === method)) return method;
  const rows = messages.filter(({ type }) => type === name);
  const isKept = rows.some((row) =>
    all.some((other) => other.method === row.method),
  );
  return isKept ? method : (rows[0]?.method ?? method);
}
