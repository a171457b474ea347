import { describe, expect, it } from "vitest";
import { bases } from "./faults/bases.js";
import { declarations } from "./faults/declarations.js";
import { members } from "./faults/members.js";
import { types } from "./faults/types.js";
import { read } from "./reading.js";

const rows = [...types, ...declarations, ...members, ...bases];

/** What each error of the syntax adds to its hint. */
const otherWay = /(?:; or |^)pass the schema\.json of this revision instead$/;

describe("an error in schema.ts", () => {
  it.each(rows)(
    "is reported with its location and a hint: $given",
    async ({ given, want }) => {
      const { reports } = await read(given);
      const relevant = reports.filter(
        ({ code }) => !["MG406", "MG407"].includes(code),
      );
      expect(
        relevant.map(({ location, code, severity, message, hint }) => {
          const place = `${location?.line}:${location?.column} ${code}`;
          const own = hint?.replace(otherWay, "") ?? "";
          return `${place} ${severity === "error" ? "" : `${severity}: `}${message}${own === "" ? "" : ` (${own})`}`;
        }),
      ).toEqual(want);
    },
  );

  it.each(rows)(
    "gives no protocol if a diagnostic has the severity error: $given",
    async ({ given }) => {
      const { protocol, reports } = await read(given);
      expect(protocol === null).toBe(
        reports.some(({ severity }) => severity === "error"),
      );
    },
  );

  it.each(rows)(
    "names the schema.json as another way unless it is about a name: $given",
    async ({ given }) => {
      const { reports } = await read(given);
      for (const { code, severity, hint } of reports) {
        const isUnreadable = severity === "error" && /^MG1(?!05)/.test(code);
        if (isUnreadable) expect(hint).toMatch(otherWay);
        else if (code !== "MG504") expect(hint ?? "").not.toMatch(otherWay);
      }
    },
  );

  it("is reported with the chain of declarations that contain it", async () => {
    const { reports } = await read(
      "export interface X { a: { b: { [key: string]: () => X } } }",
    );
    expect(reports[0]?.within).toEqual([
      "interface X",
      "member a",
      "member b",
      "the index signature",
    ]);
    expect(reports[0]?.location).toEqual({
      file: "notes/schema.ts",
      line: 1,
      column: 47,
    });
  });

  it("does not hide other errors", async () => {
    // After a syntax error the rest of the file is not read.
    const faults = rows.filter(
      ({ want }) => !want.some((line) => line.includes("MG100")),
    );
    const text = faults
      .map(({ given }, index) => given.replace(/\b([A-Z])\b/g, `$1${index}`))
      .join("\n");
    const { reports } = await read(text);
    const codes = new Set(reports.map(({ code }) => code));
    for (const code of [
      "MG101",
      "MG102",
      "MG103",
      "MG104",
      "MG105",
      "MG106",
      "MG107",
      "MG108",
    ]) {
      expect(codes).toContain(code);
    }
  });
});
