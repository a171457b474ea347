import { describe, expect, it } from "vitest";
import {
  camelCase,
  folderNames,
  lowerFirst,
  Names,
  safeIdentifier,
  words,
} from "../../src/generator/view/typescript/names.js";
import { Naming, renamingText } from "../../src/generator/view/naming.js";
import { planParams } from "../../src/generator/view/plan/params.js";
import { hostile } from "../hostile/corpus.js";
import { sample } from "../hostile/protocol.js";
import { renamed } from "../hostile/slots.js";

describe("a name", () => {
  it.each([
    ["list_changed", "listChanged"],
    ["ListChanged", "listChanged"],
    ["URLElicitation", "urlElicitation"],
    ["io.modelcontextprotocol/clientInfo", "ioModelcontextprotocolClientInfo"],
    ["$schema", "schema"],
    ["_meta", "meta"],
    ["", "value"],
    ["日本語", "日本語"],
    ["получить_погоду", "получитьПогоду"],
    ["e\u0301te\u0301", "\u00e9t\u00e9"],
    ["\u3164🎉\u{e0100}", "value"],
  ])("of a member becomes a variable name: %j becomes %s", (name, variable) => {
    expect(camelCase(name)).toBe(variable);
  });

  it.each([
    ["ListTools", "listTools"],
    ["URLElicitationRequired", "urlElicitationRequired"],
    ["JSON", "json"],
    ["A", "a"],
    ["already", "already"],
  ])(
    "of a type gets a lower-case first word: %j becomes %s",
    (name, lowered) => {
      expect(lowerFirst(name)).toBe(lowered);
    },
  );

  it.each([
    ["Note", "Note"],
    ["a-b", "a_b"],
    ["Record<string,string>", "Record_string_string_"],
    ["2fast", "_2fast"],
    ["", "_"],
    ["class", "class_"],
    ["then", "then_"],
    ["toJSON", "toJSON_"],
    ["__proto__", "__proto___"],
    ["constructor", "constructor_"],
    ["await", "await_"],
    ["undefined", "undefined_"],
    ["x".repeat(100), "x".repeat(60)],
  ])("becomes a safe identifier: %j becomes %s", (name, identifier) => {
    expect(safeIdentifier(name)).toBe(identifier);
  });

  it("keeps the letters of living scripts", () => {
    for (const name of ["größe", "имя", "名前", "𠮷野", "이름", "नाम", "𞤢𞤣𞤤𞤢𞤥"])
      expect(safeIdentifier(name)).toBe(name.normalize("NFC"));
  });

  it("is split into words", () => {
    expect(words("io.modelcontextprotocol/relatedTask-id2X")).toEqual([
      "io",
      "modelcontextprotocol",
      "related",
      "Task",
      "id2",
      "X",
    ]);
  });
});

describe("names in one scope", () => {
  it("are unique, with numbers in the order of the claims", () => {
    const names = new Names(["taken"]);
    const claimed = [
      "a",
      "a",
      "a b",
      "a_b",
      "taken",
      "class",
      "class",
      "class_",
      "a2",
    ].map((name) => names.claim(name));
    expect(claimed).toEqual([
      "a",
      "a2",
      "a_b",
      "a_b2",
      "taken2",
      "class_",
      "class_2",
      "class_3",
      "a22",
    ]);
  });

  it("may be reserved words if they are members, but not names that every object or promise has", () => {
    const members = new Names(["close"]);
    const claimed = [
      "delete",
      "then",
      "constructor",
      "toString",
      "close",
      "toJSON",
      "delete",
    ].map((name) => members.claimMember(name));
    expect(claimed).toEqual([
      "delete",
      "then_",
      "constructor_",
      "toString_",
      "close_",
      "toJSON_",
      "delete_",
    ]);
  });

  describe("for hostile texts", () => {
    const identifierForm =
      /^(?!.*\p{DI})[\p{ID_Start}_$][\p{ID_Continue}$]{0,70}$/u;
    const names = new Names();
    const members = new Names();
    const lists = {
      types: hostile.map((name) => names.claim(name)),
      members: hostile.map((name) => members.claimMember(name)),
    };

    it.each(["types", "members"] as const)(
      "are different identifiers of %s",
      (kind) => {
        const list = lists[kind];
        expect(new Set(list).size).toBe(hostile.length);
        for (const name of list) expect(name).toMatch(identifierForm);
      },
    );
  });
});

describe("the folders of revisions", () => {
  it.each([
    [
      ["2025-03-26", "2026-07-28"],
      ["2025-03-26", "2026-07-28"],
    ],
    [
      ["A", "a", "b"],
      ["A", "a-2", "b"],
    ],
    [
      ["../../etc", "..", ".", ""],
      ["etc", "revision", "revision-2", "revision-3"],
    ],
    [
      ["con", "NUL", "com1", "runtime"],
      ["con-revision", "NUL-revision", "com1-revision", "runtime-2"],
    ],
    [
      ["a/b", "a\\b", "a b"],
      ["a-b", "a-b-2", "a-b-3"],
    ],
    [["x".repeat(200)], ["x".repeat(60)]],
  ])("%j are %j", (revisions, folders) => {
    expect(folderNames(revisions)).toEqual(folders);
  });
});

describe("the naming of a revision", async () => {
  const protocol = await sample();
  const naming = (names: Record<string, string>): Naming => {
    const changed = renamed(protocol, new Map(Object.entries(names)));
    return new Naming(changed, planParams(changed));
  };

  it("keeps valid names, and reports no renaming", () => {
    const chosen = naming({});
    expect(chosen.renamings).toEqual([]);
    expect(String(chosen.type("Note").layout)).toBe("Note");
    expect(String(chosen.guard("Note").layout)).toBe("isNote");
    expect(String(chosen.schema("Note").layout)).toBe("NoteSchema");
    expect(String(chosen.row("notes/list").layout)).toBe("listNotes");
  });

  it("renames an export of mcpgen before a type of the schema", () => {
    const chosen = naming({ Note: "Client", Link: "ClientOptions" });
    expect(String(chosen.type("Client").layout)).toBe("Client");
    expect(chosen.publish("Client")).toBe("Client2");
    expect(chosen.publish("ClientOptions")).toBe("ClientOptions2");
    expect(chosen.renamings.map(({ what, base }) => [what, base])).toEqual([
      ["export", "Client"],
      ["export", "ClientOptions"],
    ]);
  });

  it.each(["Object", "Unique", "Multiple", "Match"])(
    "gives no validator the name is%s, which validators call",
    (type) => {
      expect(String(naming({ Note: type }).guard(type).layout)).toBe(
        `is${type}2`,
      );
    },
  );

  it("reports each name that it changes", () => {
    const { renamings } = naming({ Note: "a b", Link: "await" });
    expect(renamings).toEqual(
      expect.arrayContaining([
        { what: "type", base: "a b", identifier: "a_b" },
        { what: "type", base: "await", identifier: "await_" },
      ]),
    );
  });

  it("shortens a long name in what it says of a renaming", () => {
    const text = (base: string): string =>
      renamingText({ what: "type", base, identifier: "Type" });
    const rest =
      "is named Type in TypeScript: the name is reserved, already used or not an identifier";
    expect(text("x".repeat(80))).toBe(`the type "${"x".repeat(80)}" ${rest}`);
    expect(text("x".repeat(81))).toBe(`the type "${"x".repeat(80)}" ${rest}`);
  });

  it("reports a method exactly if its class has a member of that name already", () => {
    const chosen = naming({});
    const members = new Names(["close"]);
    for (const [base, name] of [
      ["close", "close_"],
      ["open", "open"],
      ["open", "open_"],
    ] as const)
      expect(String(chosen.claim(members, base).layout)).toBe(name);
    expect(chosen.renamings).toEqual([
      { what: "method", base: "close", identifier: "close_" },
      { what: "method", base: "open", identifier: "open_" },
    ]);
  });
});
