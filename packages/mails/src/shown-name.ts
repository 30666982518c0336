/** In code points: longer than nearly every name, and short for a message. */
const LENGTH_MAX = 50;
/** Fewer than a telephone number has. */
const DIGITS_MAX = 6;

/**
 * Letters of any script with their marks, digits, and the punctuation of names. No control or formatting characters
 * except the joiners of Persian and Indic scripts (Unicode Standard, 23.2), no line breaks, and none of the
 * characters of addresses and links except the dot.
 */
const NAME = /^(?:[\p{L}\p{M}\p{Nd} '’·.,&()_‐‑–-]|\u200C|\u200D)+$/u;
/** A dot ends a word or an initial (`Dr. Ann`, `J.R.R. Tolkien`). Mail programs make links of other ones. */
const DOT_WITHIN = /\.(?! |$|\p{L}\.|\p{L}$|\p{L} )/u;
/** More marks on one letter than any script needs spread over the lines around it. */
const HEAPED_MARKS = /\p{M}{4}/u;

/**
 * A name that somebody chose, as a mail to others may repeat it; `undefined` when it may not. Anybody can register a
 * stranger's address under a name, or invite a stranger: what could be a link, a telephone number or a message instead
 * of a name is left out, so that our mails carry nobody's advertisements. It is one line, and what was checked is what is
 * shown: other forms of the same characters, such as wide dots, are replaced by the plain ones first.
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
