import { isInputPending, ToolError } from "@mcpgen/runtime";
import { tools, type WrappedCall } from "@mcpgen/runtime/features";
import { serveStdio } from "@mcpgen/runtime/stdio";
import { createServers } from "./gen/index.js";

const outcomes = new Map<string, number>();
const count = (tool: string, outcome: string): void =>
  void outcomes.set(
    `${tool} ${outcome}`,
    (outcomes.get(`${tool} ${outcome}`) ?? 0) + 1,
  );

/**
 * Denies calls while the shop is closed, and measures and counts all others.
 */
async function guarded(
  next: () => Promise<unknown>,
  { name, context }: WrappedCall,
): Promise<unknown> {
  if (name.startsWith("admin_") && context.auth?.["role"] !== "admin") {
    count(name, "denied");
    throw new ToolError("Only an administrator may do that.");
  }
  const start = performance.now();
  try {
    const result = await within(1_000, next());
    count(name, "ok");
    return result;
  } catch (error) {
    if (!isInputPending(error)) count(name, "failed");
    throw error;
  } finally {
    const time = Math.round(performance.now() - start);
    if (time > 500)
      console.error(
        JSON.stringify({ tool: name, time, requestId: context.requestId }),
      );
  }
}

/** Rejects if the work takes longer than the time, in milliseconds. */
async function within<T>(time: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new ToolError(`The tool took longer than ${time} ms.`)),
      time,
    );
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

const servers = createServers({
  info: { name: "shop", version: "1.0.0" },
  handlers: {
    ...tools(
      [
        { name: "count_items", handler: () => "12 in stock" },
        {
          name: "order",
          handler() {
            throw new Error("The supplier does not answer.");
          },
        },
        { name: "admin_close", handler: () => "The shop is closed." },
      ],
      { wrap: guarded },
    ),
    ...tools([{ name: "report", handler: () => Object.fromEntries(outcomes) }]),
  },
  onError: () => {},
});

await serveStdio(servers);
