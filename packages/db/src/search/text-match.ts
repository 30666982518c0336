/** How to search a column for a text. */
export interface TextMatch {
  /** SQL, with the text as `:part`. */
  condition: string;
  /** The text, escaped so that LIKE matches it literally. */
  part: string;
  /** Whether the column's trigram index can be used. */
  isIndexed: boolean;
}

/**
 * The condition that a column contains a text. The index consists of trigrams, so one or two letters or digits are
 * searched only at the beginning of words: within words they occur in almost every row, and the index cannot exclude
 * any.
 *
 * @param column in exactly the expression of its index.
 * @param part the SQL expression that the column is compared with.
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
