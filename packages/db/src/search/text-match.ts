/** How a column is searched for a text. */
export interface TextMatch {
  /** SQL, with the text as `:part`. */
  condition: string;
  /** The text as LIKE takes it literally. */
  part: string;
  /** Whether the column's index of trigrams can look it up. */
  isIndexed: boolean;
}

/**
 * What holds a text. The index is one of three characters, so that one or two letters or digits are looked for where a
 * word begins: anywhere in words they are in nearly everything, and no index tells where they are not.
 *
 * @param column in the very words of its index.
 * @param part what of the text is compared with it.
 */
export function textMatch(column: string, text: string, part = 'lower(:part)'): TextMatch {
  const isShort = Array.from(text).length < 3 && /[\p{L}\p{N}]/u.test(text);
  return {
    condition: isShort
      ? `(${column} like ${part} || '%' or ${column} like '% ' || ${part} || '%')`
      : `${column} like '%' || ${part} || '%'`,
    part: text.replaceAll(/[\\%_]/g, String.raw`\$&`),
    isIndexed: isShort || /[\p{L}\p{N}]{3}/u.test(text),
  };
}
