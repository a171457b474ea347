import table from "./providers.json" with { type: "json" };

/**
 * What a model provider, or a directory of servers, takes, by its public documents and messages on the date
 * of its row. What it refuses in one level of a schema is in rules.json.
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
   * True if no object may allow other members than those that it names. They
   * must all be required, unless `optional` is true.
   */
  readonly closed?: boolean;
  readonly optional?: boolean;
  /** True for a directory, which reads the tools and calls no model. */
  readonly isDirectory?: boolean;
  readonly limits: Partial<
    Record<"tools" | "properties" | "depth" | "enumValues", number>
  >;
}

export const profiles: readonly Provider[] = table;

/** The model providers among them, for which schemas are converted. */
export const providers = profiles.filter(
  ({ isDirectory }) => isDirectory !== true,
);

/**
 * The providers whose rules count unless others are named. Strict mode is a
 * choice of a host for each tool, so it has to be asked for.
 */
export const defaultProviders: readonly string[] = [
  "anthropic",
  "openai",
  "gemini",
];
