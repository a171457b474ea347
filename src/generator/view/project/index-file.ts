import { type Code, code, nameList } from "../typescript/code.js";
import type { IndexView } from "../index-file.js";

/**
 * `index.ts` of a project: what these files export, and what a program needs of
 * `validate.ts`.
 */
export function projectIndexView(files: readonly Code[]): IndexView {
  const file = code`./validate`;
  return {
    isIndex: true,
    exports: [
      ...files.map((each) => ({ file: each, isType: false, names: code`*` })),
      {
        file,
        isType: true,
        names: nameList([code`Issue`, code`Parsed`, code`Schema`]),
      },
      {
        file,
        isType: false,
        names: nameList([code`isValidationError`, code`ValidationError`]),
      },
    ],
  };
}
