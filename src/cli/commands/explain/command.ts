import { loadCodes } from "../../../generator/inputs/package.js";
import { type Command, pageOf } from "../../command.js";
import { exitCodes, usageError } from "../../command-error.js";

export const run: Command = async (words) => {
  const rows = await loadCodes();
  const texts = words.map((word) => {
    const row = rows.find(({ code }) => code === word.toUpperCase());
    if (row === undefined) {
      const hint = `a code is MG and three digits, such as MG307; all are on ${pageOf({ name: "explain" })}`;
      throw usageError(
        "MG703",
        `there is no code ${JSON.stringify(word)}`,
        hint,
      );
    }
    return `${row.code} ${row.meaning}\n    what to do: ${row.remedy}\n`;
  });
  return {
    exitCode: exitCodes.done,
    diagnostics: [],
    data: () => texts.join(""),
  };
};
