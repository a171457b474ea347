import { usageError } from "../command-error.js";

/** What the connection itself decides. */
const reserved = new Set(["connection", "content-length", "transfer-encoding", "upgrade"]);

/** Headers as they are given on a command line, `Name: value` each. No message quotes a value. */
export function readHeaders(texts: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(texts.map(readHeader));
}

function readHeader(text: string): [name: string, value: string] {
  const found = /^([\w!#$%&'*+.^`|~-]+):(.*)$/s.exec(text.trim());
  if (found === null) {
    const hint = 'for example --header "Authorization: Bearer $TOKEN"';
    throw usageError("MG702", "--header is a name, a colon and a value", hint);
  }
  const [, name = "", rest = ""] = found;
  const value = rest.trim();
  if (reserved.has(name.toLowerCase())) {
    throw usageError("MG702", `the header ${name} is not yours to set`, "leave it out");
  }
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) {
    throw usageError("MG702", `the value of the header ${name} holds what no header can`, null);
  }
  // A variable that is not set leaves this behind.
  const isBare = name.toLowerCase() === "authorization" && /^(bearer|basic|token)$/i.test(value);
  if (value === "" || isBare) {
    throw usageError("MG702", `the header ${name} has no value`, "see that the variable behind it is set");
  }
  return [name, value];
}
