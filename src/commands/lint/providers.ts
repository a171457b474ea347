import table from "./providers.json" with { type: "json" };

/**
 * What a model provider takes, by its public documents and messages on the date
 * of its row.
 */
export interface Provider {
  readonly id: string;
  readonly title: string;
  /** When the facts were looked up, and where. */
  readonly date: string;
  readonly sources: readonly string[];
  /** Patterns of the names of tools and of properties; null without a rule. */
  readonly name: string;
  readonly property: string | null;
  /**
   * Keywords that the schema of a tool may not have itself, and those that no
   * schema in it may have.
   */
  readonly root: readonly string[];
  readonly anywhere: readonly string[];
  /**
   * True if each object must list all its properties as required, and allow no
   * others.
   */
  readonly closed?: boolean;
  /** True if an array must say what its items are. */
  readonly itemsRequired?: boolean;
  readonly limits: Partial<
    Record<"tools" | "properties" | "depth" | "enumValues", number>
  >;
}

export const providers: readonly Provider[] = table;

/**
 * The providers whose rules count unless others are named. Strict mode is a
 * choice of a host for each tool, so it has to be asked for.
 */
export const defaultProviders: readonly string[] = [
  "anthropic",
  "openai",
  "gemini",
];
