import { canonical } from "../core/session/digest.js";

/** A keyword as Ajv takes it: a function that makes the test of its value. */
interface Keyword {
  readonly keyword: string;
  readonly type?: string;
  readonly compile: (expected: never) => (value: never) => boolean;
  readonly error: {
    readonly message: (rule: { readonly schema: unknown }) => string;
    readonly params?: (rule: { readonly schema: unknown }) => object;
  };
}

/**
 * The keywords that Ajv computes otherwise than generated guards do. They
 * replace those of Ajv, so that a server accepts what a generated client sends.
 */
export const exactKeywords: readonly Keyword[] = [
  // Ajv divides in binary arithmetic: 19.99 / 0.01 is not a whole number.
  {
    keyword: "multipleOf",
    type: "number",
    compile: (of: number) => (value: number) => isMultiple(value, of),
    error: { message: ({ schema }) => `must be multiple of ${String(schema)}` },
  },
  // Ajv compares all pairs of items, which takes seconds for thousands of
  // objects; this is linear.
  {
    keyword: "uniqueItems",
    type: "array",
    compile: (isUnique: boolean) => (items: readonly unknown[]) =>
      !isUnique || new Set(items.map(canonical)).size === items.length,
    error: { message: () => "must NOT have duplicate items" },
  },
  // Ajv calls the `valueOf` and `toString` of a value that has such members.
  {
    keyword: "const",
    compile: (expected: unknown) => isOneOf([expected]),
    error: {
      message: () => "must be equal to constant",
      params: ({ schema }) => ({ allowedValue: schema }),
    },
  },
  {
    keyword: "enum",
    compile: isOneOf,
    error: {
      message: () => "must be equal to one of the allowed values",
      params: ({ schema }) => ({ allowedValues: schema }),
    },
  },
];

function isOneOf(values: readonly unknown[]): (value: unknown) => boolean {
  const texts = new Set(values.map(canonical));
  return (value) => texts.has(canonical(value));
}

/** Tests for a multiple in decimal arithmetic, as generated guards do. */
function isMultiple(value: number, of: number): boolean {
  const [digits, exponent] = decimal(value);
  const [ofDigits, ofExponent] = decimal(of);
  const lowest = Math.min(exponent, ofExponent);
  const dividend = digits * 10n ** BigInt(exponent - lowest);
  return dividend % (ofDigits * 10n ** BigInt(ofExponent - lowest)) === 0n;
}

/** The integer and the power of ten whose product is the number. */
function decimal(value: number): readonly [digits: bigint, exponent: number] {
  const [mantissa = "", exponent] = value.toExponential().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}
