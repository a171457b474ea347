/** The value of a variable of a resource template. */
export type Expandable =
  | string
  | number
  | boolean
  | readonly (string | number | boolean)[]
  | {
      readonly [key: string]: string | number | boolean;
    };

/**
 * The expansion rules of each operator (RFC 6570, appendix A): the first
 * character, the separator, whether values have names, what follows the name of
 * an empty value, and whether reserved characters stay.
 */
const OPERATORS = {
  "": ["", ",", false, "", false],
  "+": ["", ",", false, "", true],
  "#": ["#", ",", false, "", true],
  ".": [".", ".", false, "", false],
  "/": ["/", "/", false, "", false],
  ";": [";", ";", true, "", false],
  "?": ["?", "&", true, "=", false],
  "&": ["&", "&", true, "=", false],
} as const;

/** Expands a valid template with the values of its variables (RFC 6570). */
export function expand(
  text: string,
  variables: { readonly [name: string]: Expandable | undefined },
): string {
  return text
    .split(/[{}]/)
    .map((part, i) =>
      i % 2 === 0 ? encode(part, true) : expression(part, variables),
    )
    .join("");
}

/** A function that expands a valid template, which is its `text`. The types of a project check its values. */
export function template(
  text: string,
): ((variables: object) => string) & { readonly text: string } {
  const fill = (variables: object): string =>
    expand(text, variables as Readonly<Record<string, Expandable>>);
  return Object.assign(fill, { text });
}

/** Expands what is between the braces: an operator, and variables with a modifier: `?a,b*,c:3` */
function expression(
  text: string,
  values: { readonly [name: string]: Expandable | undefined },
): string {
  const operator = /^[+#./;?&]?/.exec(text)?.[0] ?? "";
  const [first, separator, isNamed, empty, reserved] =
    OPERATORS[operator as keyof typeof OPERATORS];
  const list: string[] = [];
  for (const variable of text.slice(operator.length).split(",")) {
    const [name = "", length] = variable.replace("*", "").split(":");
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    const texts = write(value, reserved, length);
    if (texts.length === 0) continue;
    const isMap = typeof value === "object" && !Array.isArray(value);
    const label = (key: string, text: string): string =>
      key + (text === "" ? empty : `=${text}`);
    if (variable.endsWith("*") && typeof value === "object") {
      for (const [key, text] of texts) {
        if (isNamed) list.push(label(isMap ? key : name, text));
        else list.push(isMap ? `${key}=${text}` : text);
      }
    } else {
      const text = texts
        .map(([key, item]) => (isMap ? `${key},${item}` : item))
        .join();
      list.push(isNamed ? label(name, text) : text);
    }
  }
  return list.length === 0 ? "" : first + list.join(separator);
}

/** The encoded texts of a value, each with its key. `length` is that of a prefix. */
function write(
  value: Expandable | undefined,
  reserved: boolean,
  length?: string,
): readonly (readonly [key: string, text: string])[] {
  if (typeof value === "object") {
    return Object.entries(value).map(([key, item]) => [
      encode(key, reserved),
      encode(String(item), reserved),
    ]);
  }
  if (value === undefined) return [];
  const text = String(value);
  const prefix = length ? [...text].slice(0, Number(length)).join("") : text;
  return [["", encode(prefix, reserved)]];
}

/** Percent-encodes a text. With `reserved`, reserved characters and existing escapes stay. */
function encode(text: string, reserved: boolean): string {
  const encoded = encodeURIComponent(
    text.replace(/\p{Cs}/gu, "\ufffd"),
  ).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  if (!reserved) return encoded;
  return encoded
    .replace(
      /%(?:3A|2F|3F|23|5B|5D|40|21|24|26|27|28|29|2A|2B|2C|3B|3D)/g,
      (code) => decodeURIComponent(code),
    )
    .replace(/%25(?=[0-9A-Fa-f]{2})/g, "%");
}
