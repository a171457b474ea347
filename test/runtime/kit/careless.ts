import type { SideTable } from "@mcpgen/runtime";

/**
 * Does the work while one side sends whatever it is given, so that a test sees what the other side makes of it. `side` is the
 * `clientSide`, `clientQuestions` or `serverSide` of generated code.
 */
export async function carelessly<T>(side: unknown, work: () => Promise<T>): Promise<T> {
  const {
    outgoingRequests = {},
    incomingRequests = {},
    outgoingNotifications = {},
  } = side as Partial<SideTable>;
  const anything = { params: () => true };
  const restore = [outgoingRequests, outgoingNotifications].flatMap((rows) =>
    Object.values(rows).map((row) => change(row, { checks: { ...row.checks, ...anything } })),
  );
  for (const row of Object.values(incomingRequests)) {
    const { checks } = row;
    const variants = Object.fromEntries(Object.keys(checks.variants ?? {}).map((kind) => [kind, () => true]));
    restore.push(change(row, { checks: { ...checks, result: () => true, variants } }));
  }
  try {
    return await work();
  } finally {
    for (const undo of restore) undo();
  }
}

function change(row: object, members: object): () => void {
  const before = { ...row };
  Object.assign(row, members);
  return () => void Object.assign(row, before);
}
