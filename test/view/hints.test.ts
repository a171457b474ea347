import { describe, expect, it } from "vitest";
import { hintNames } from "../../src/generator/view/project/docs.js";

const none = {
  readOnly: null,
  destructive: null,
  idempotent: null,
  openWorld: null,
};

describe("the hints of a tool, in the comment of its method", () => {
  it.each([
    [{}, []],
    [{ readOnly: true }, ["read-only"]],
    [{ readOnly: false }, []],
    [{ destructive: true }, ["destructive"]],
    [{ destructive: false }, ["additive"]],
    [{ idempotent: true }, ["idempotent"]],
    [{ idempotent: false }, []],
    [{ openWorld: true }, ["open-world"]],
    [{ openWorld: false }, ["closed-world"]],
    [
      { readOnly: false, destructive: true, idempotent: true, openWorld: true },
      ["destructive", "idempotent", "open-world"],
    ],
    // They have a meaning only for a tool that changes something.
    [
      { readOnly: true, destructive: true, idempotent: true, openWorld: false },
      ["read-only", "closed-world"],
    ],
    [{ readOnly: true, destructive: false }, ["read-only"]],
  ])("are of %j: %j", (hints, names) => {
    expect(hintNames({ ...none, ...hints })).toEqual(names);
  });
});
