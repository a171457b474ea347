import { usageError } from "../../cli/command-error.js";
import type { Flags } from "../../cli/flag-values.js";
import {
  readTimeout,
  sourceOptions,
  type WriteOptions,
  writeOptions,
} from "../../cli/options.js";
import {
  type GivenExtension,
  givenExtension,
} from "../../generator/read/extension-id.js";
import type { RevisionSelection } from "./pins.js";

/** The options of `update`. */
export interface UpdateOptions {
  /**
   * The value of `--from`; null for the source of the configuration, or the
   * default one.
   */
  readonly from: string | null;
  /**
   * The URL or path of an extension, which is updated in place of revisions;
   * null for none.
   */
  readonly extension: GivenExtension | null;
  readonly selection: RevisionSelection;
  readonly mode: WriteOptions["mode"];
  /** In milliseconds. */
  readonly timeout: number;
}

/** The options of `update` from flags. */
export function updateOptions(flags: Flags): UpdateOptions {
  const words = flags.list("version");
  const [extension = null, ...others] = flags.texts("extension");
  if (others.length > 0)
    throw usageError(
      "MG702",
      "--extension is set several times",
      "set it once",
    );
  if (extension !== null && flags.text("from") !== null) {
    const message = "--extension and --from exclude each other";
    throw usageError(
      "MG705",
      message,
      "the value of --extension is the source",
    );
  }
  if (extension !== null && words.length > 1)
    throw usageError(
      "MG705",
      "an extension has one pinned revision, and several are given",
      "name one revision",
    );
  return {
    from: flags.text("from"),
    extension: extension === null ? null : givenExtension(extension),
    selection:
      words.length === 0 ? "default" : words.includes("all") ? "all" : words,
    mode: writeOptions(flags).mode,
    timeout: readTimeout(sourceOptions(flags).timeout),
  };
}
