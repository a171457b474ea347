/**
 * Characters that nobody sees, or that change the direction of text: control
 * and format characters, ends of lines, variation selectors, fillers, and the
 * empty Braille pattern.
 *
 * What an emoji needs is not one of them: the selector after it, and the joiner
 * between two. Text could hide in any other place.
 */
export const invisible =
  /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800](?<!\p{Extended_Pictographic}\ufe0f|[\d#*]\ufe0f(?=\u20e3)|(?:\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})\u200d(?=\p{Extended_Pictographic}))/gu;

/** The same, and characters that look like a space and are none. */
export const unclear = new RegExp(
  `${invisible.source}|[\\u00a0\\u2000-\\u200a\\u202f\\u205f\\u3000]`,
  "gu",
);

/** Each unit of a character as in a string of JSON. */
export function escapeUnit(character: string): string {
  return [...Array(character.length).keys()]
    .map((i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`)
    .join("");
}

/** A character by its code point, as in a string of JavaScript. */
export const escapePoint = (character: string): string =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
