import type { Observed, ObservedConnection, ObservedSource } from "../ports/observe.js";

/** Runs work that no dispatcher answers, that of a question inside a result or of a task, and lets the observer see it. */
export async function observeWork<T>(
  connection: ObservedConnection,
  exchange: ObservedSource & { observed: Observed | undefined },
  params: unknown,
  work: () => T,
  taskId?: string,
): Promise<Awaited<T>> {
  const observed = connection.reporting.observe?.(connection, "received", exchange, params, taskId);
  if (!observed) return await work();
  exchange.observed = observed;
  try {
    const value = await observed.inside(work);
    observed.end(value);
    return value;
  } catch (error) {
    observed.end(undefined, error);
    throw error;
  }
}
