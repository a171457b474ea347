import { usageError } from "../command-error.js";

/**
 * Formats files that a user's templates make. The built-in templates write this
 * layout themselves.
 */
export async function formatAll<
  File extends { readonly path: string; readonly text: string },
>(files: readonly File[]): Promise<File[]> {
  const { format } = await import("prettier");
  const formatted = ({ path, text }: File): Promise<string> =>
    format(text, { filepath: path, endOfLine: "lf" }).catch(
      ({ message: reason }: Error) => {
        throw usageError(
          "MG710",
          `the generated ${path} cannot be formatted: ${reason}`,
          "fix the template",
        );
      },
    );
  return await Promise.all(
    files.map(async (file) => ({ ...file, text: await formatted(file) })),
  );
}
