/**
 * What is used of a store that processes share: a `SharedStore` of
 * `@mcpgen/runtime/cluster`, such as `valkey(client)`.
 */
export interface SharedValues {
  get(
    key: string,
  ): Promise<{ readonly value: string; readonly version: string } | undefined>;
  put(
    key: string,
    value: string | undefined,
    options: {
      readonly ttl: number;
      readonly version: string;
      readonly replaces?: string | undefined;
    },
  ): Promise<boolean>;
}
