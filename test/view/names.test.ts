import { describe, expect, it } from "vitest";
import {
  camelCase,
  folderNames,
  lowerFirst,
  Names,
  safeIdentifier,
  words,
} from "../../src/view/typescript/names.js";
import { Naming } from "../../src/view/naming.js";
import { planParams } from "../../src/view/plan/params.js";
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
    ["日本語", "value"],
  ])("%j of a member is %s as a variable", (name, variable) => {
    expect(camelCase(name)).toBe(variable);
  });

  it.each([
    ["ListTools", "listTools"],
    ["URLElicitationRequired", "urlElicitationRequired"],
    ["JSON", "json"],
    ["A", "a"],
    ["already", "already"],
  ])("%j begins small: %s", (name, lowered) => {
    expect(lowerFirst(name)).toBe(lowered);
  });

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
  ])("%j is spelt as documented: %s", (name, identifier) => {
    expect(safeIdentifier(name)).toBe(identifier);
  });

  it("falls into its words", () => {
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

describe("names in one place", () => {
  it("are each given once, numbered in the order of asking", () => {
    const names = new Names(["taken"]);
    const given = ["a", "a", "a b", "a_b", "taken", "class", "class", "class_", "a2"].map((name) =>
      names.claim(name),
    );
    expect(given).toEqual(["a", "a2", "a_b", "a_b2", "taken2", "class_", "class_2", "class_3", "a22"]);
  });

  it("may be reserved words as members, but never what every object or a promise has", () => {
    const members = new Names(["close"]);
    const given = ["delete", "then", "constructor", "toString", "close", "toJSON", "delete"].map((name) =>
      members.claimMember(name),
    );
    expect(given).toEqual(["delete", "then_", "constructor_", "toString_", "close_", "toJSON_", "delete_"]);
  });

  it("of hostile text are identifiers that differ", () => {
    const names = new Names();
    const members = new Names();
    const given = hostile.map((name) => names.claim(name));
    const givenMembers = hostile.map((name) => members.claimMember(name));
    for (const list of [given, givenMembers]) {
      expect(new Set(list).size).toBe(hostile.length);
      for (const name of list) expect(name).toMatch(/^[A-Za-z_$][\w$]{0,70}$/);
    }
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
  ])("of %j are %j", (revisions, folders) => {
    expect(folderNames(revisions)).toEqual(folders);
  });
});

describe("the naming of a revision", async () => {
  const protocol = await sample();
  const naming = (names: Record<string, string>): Naming => {
    const changed = renamed(protocol, new Map(Object.entries(names)));
    return new Naming(changed, planParams(changed));
  };

  it("keeps every name that can be kept, and reports no renaming", () => {
    const chosen = naming({});
    expect(chosen.renamings).toEqual([]);
    expect(String(chosen.type("Note").layout)).toBe("Note");
    expect(String(chosen.guard("Note").layout)).toBe("isNote");
    expect(String(chosen.schema("Note").layout)).toBe("NoteSchema");
    expect(String(chosen.row("notes/list").layout)).toBe("listNotes");
  });

  it("gives a name of ours away before it renames a type of the schema", () => {
    const chosen = naming({ Note: "Client", Link: "ClientOptions" });
    expect(String(chosen.type("Client").layout)).toBe("Client");
    expect(chosen.publish("Client")).toBe("Client2");
    expect(chosen.publish("ClientOptions")).toBe("ClientOptions2");
    expect(chosen.renamings.map(({ what, wanted }) => [what, wanted])).toEqual([
      ["export", "Client"],
      ["export", "ClientOptions"],
    ]);
  });

  it("reports each name that it changed", () => {
    const { renamings } = naming({ Note: "a b", Link: "await" });
    expect(renamings).toEqual(
      expect.arrayContaining([
        { what: "type", wanted: "a b", given: "a_b" },
        { what: "type", wanted: "await", given: "await_" },
      ]),
    );
  });
});
