import { constants } from "node:os";
import { describe, expect, it } from "vitest";
import { schemaError, SchemaError } from "../../src/generator/diagnostics.js";
import {
  diskError,
  diskReason,
  withDiskErrors,
} from "../../src/generator/emit/write/disk.js";

/** Node has no name for EDQUOT, but the number of the system. */
const systemError = (code: string, path?: string): Error =>
  Object.assign(new Error(`${code}: made up`), {
    ...(code === "EDQUOT"
      ? {
          code: `Unknown system error ${-constants.errno.EDQUOT}`,
          errno: -constants.errno.EDQUOT,
        }
      : { code }),
    ...(path !== undefined && { path }),
  });
const right =
  "give this user the right to write there, or choose another directory";

describe("an error of the disk", () => {
  it.each([
    ["ENOSPC", "the disk is full", "free some space and run again"],
    ["EDQUOT", "the disk quota is used up", "free some space and run again"],
    [
      "EFBIG",
      "the file would be too large for this process",
      "raise the limit (ulimit -f) and run again",
    ],
    ["EACCES", "permission was denied", right],
    ["EPERM", "the operation is not permitted", right],
    ["EROFS", "the disk is read-only", "choose another directory"],
    ["EISDIR", "it is a directory", "name a file, or move that directory"],
    [
      "ENOTDIR",
      "a part of the path is a file, not a directory",
      "choose another directory, or move that file",
    ],
    [
      "ENAMETOOLONG",
      "the path is too long for this disk",
      "choose a directory with a shorter path",
    ],
    ["EIO", "i/o error", "repair that and run again"],
  ])(
    "says what could not be done, why, and what to do: %s",
    (code, reason, hint) => {
      const rows = [
        [systemError(code, "/out/a.ts"), undefined, "use /out/a.ts"],
        [systemError(code), undefined, "use the directory"],
        [systemError(code, "/out/a.ts"), "write x", "write x"],
      ] as const;
      for (const [error, operation, done] of rows)
        expect(diskError(error, operation)).toMatchObject({
          diagnostics: [
            {
              code: "MG810",
              severity: "error",
              message: `cannot ${done}: ${reason} (${code})`,
              hint,
            },
          ],
        });
    },
  );

  it.each([
    new Error("not of the system"),
    systemError("ERR_MADE_UP"),
    schemaError("MG801", "a finished sentence"),
    "no error at all",
  ])("is none if the system does not know it: %s", async (error) => {
    expect(diskError(error)).toBe(error);
    const work = withDiskErrors(() => {
      throw error as Error;
    });
    await expect(work).rejects.toBe(error);
    expect(diskReason(Object(error))).toBeNull();
  });

  it("becomes a sentence wherever work on the disk fails", async () => {
    const work = withDiskErrors(() => {
      throw systemError("EACCES", "/out");
    });
    await expect(work).rejects.toBeInstanceOf(SchemaError);
    expect(await withDiskErrors(() => Promise.resolve(5))).toBe(5);
  });
});
