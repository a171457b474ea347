/** Any JSON, as a test writes and reads it. */
export type Json = Readonly<Record<string, unknown>>;

/** Who the tests' clients and servers say they are. */
export const info = { name: "test", version: "1.0.0" };

export const text = (value: string): Json => ({
  content: [{ type: "text", text: value }],
});

/** The first text of a tool's result. */
export function textOf(result: Json): string {
  const [block] = result["content"] as readonly Json[];
  return String(block?.["text"]);
}

/** What a promise was rejected with; a test fails when it was kept. */
export async function failure(promise: unknown): Promise<Error & Json> {
  try {
    await promise;
  } catch (error) {
    return error as Error & Json;
  }
  throw new Error("The promise was kept.");
}

export const errorOf = (message: Json): Json => message["error"] as Json;
export const resultOf = (message: Json): Json => message["result"] as Json;
