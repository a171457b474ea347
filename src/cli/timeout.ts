import { usageError } from "./command-error.js";

/** The default timeout of each request, in seconds. */
const defaultTimeout = 60;

/** The value of `--timeout` in milliseconds. */
export function readTimeout(seconds: number = defaultTimeout): number {
  if (seconds > 0 && seconds <= 3600) return seconds * 1000;
  throw usageError(
    "MG702",
    "--timeout must be a number of seconds, at most 3600",
    "for example --timeout 10",
  );
}
