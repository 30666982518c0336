/** In code points: longer than nearly every name, and too short for a message. */
const LENGTH_MAX = 50;
/** Fewer digits than a telephone number. */
const DIGITS_MAX = 6;

/**
 * Letters of any script with their marks, digits, and the punctuation of names. No control or formatting characters
 * except the joiners of Persian and Indic scripts (Unicode Standard, 23.2), no line breaks, and no characters of
 * addresses and links except the dot. Those beyond ASCII (’ · ‐ ‑ –) are escaped, because the build keeps patterns as
 * they are and one such character would double the memory of a program's text.
 */
const NAME = /^(?:[\p{L}\p{M}\p{Nd} '\u2019\xB7.,&()_\u2010\u2011\u2013-]|\u200C|\u200D)+$/u;
/** A dot may end a word or an initial (`Dr. Ann`, `J.R.R. Tolkien`). Mail programs turn text with other dots into links. */
const DOT_WITHIN = /\.(?! |$|\p{L}\.|\p{L}$|\p{L} )/u;
/** More marks on one letter than any script needs cover the lines around it. */
const HEAPED_MARKS = /\p{M}{4}/u;

/**
 * A name that a user chose, as mails to others may repeat it; `undefined` if they may not. Anyone can register another
 * person's address under any name, or invite another person. A name that could be a link, a telephone number or a
 * message is omitted, so that our mails cannot be used for advertising. The name is one line, and what was checked is
 * what is shown: other forms of the same characters, such as wide dots, are first replaced by the plain ones.
 */
export function shownName(chosen: string | undefined): string | undefined {
  const name = chosen?.normalize('NFKC').trim() ?? '';
  const characters = Array.from(name);
  const digits = characters.filter((character) => /\p{Nd}/u.test(character)).length;
  const isName =
    characters.length <= LENGTH_MAX &&
    digits <= DIGITS_MAX &&
    NAME.test(name) &&
    /\p{L}/u.test(name) &&
    !DOT_WITHIN.test(name) &&
    !HEAPED_MARKS.test(name);
  return isName ? name : undefined;
}
