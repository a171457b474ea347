import type { SideTable } from "@mcpgen/runtime";

/**
 * Does the work while one side sends whatever it is given, so that a test sees
 * what the other side makes of it. `side` is the `clientSide`,
 * `clientQuestions` or `serverSide` of generated code.
 */
export async function carelessly<T>(
  side: unknown,
  work: () => Promise<T>,
): Promise<T> {
  const {
    outgoingRequests = {},
    incomingRequests = {},
    outgoingNotifications = {},
  } = side as Partial<SideTable>;
  const anything = { params: () => true };
  const restore = [outgoingRequests, outgoingNotifications].flatMap((rows) =>
    Object.values(rows).map((row) =>
      change(rows, row, { checks: { ...row.checks, ...anything } }),
    ),
  );
  for (const row of Object.values(incomingRequests)) {
    const { checks } = row;
    const variants = Object.fromEntries(
      Object.keys(checks.variants ?? {}).map((kind) => [kind, () => true]),
    );
    restore.push(
      change(incomingRequests, row, {
        checks: { ...checks, result: () => true, variants },
      }),
    );
  }
  try {
    return await work();
  } finally {
    for (const undo of restore) undo();
  }
}

/** Replaces a row in its table. Another side may have the row, too. */
function change(
  rows: object,
  row: { readonly method: string },
  members: object,
): () => void {
  Object.assign(rows, { [row.method]: { ...row, ...members } });
  return () => void Object.assign(rows, { [row.method]: row });
}
