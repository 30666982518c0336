/**
 * What people type, paste and name, as they mean it. Text that is copied from a page or a mail has invisible characters,
 * quotes around it or wide letters, and keyboards of other scripts have digits of their own.
 */

/** Nothing that is typed is longer; longer text is refused as it is. */
const LENGTH_MAX = 500;
/** Some characters become eighteen by NFKC. */
const ADDRESS_LENGTH_MAX = 320;

/** Signs that are no dashes, on keyboards where a hyphen is expected: the minus, and the long vowel of Japanese. */
const HYPHENS = /[\u2212\u30FC]/g;
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * The typed code in plain characters (NFKC, digits 0 to 9), without invisible ones and without punctuation around it.
 * Empty, which never matches, if the text is too long to have been typed.
 */
export function typedCode(text: string): string {
  if (text.length > 64) return '';
  const plain = withPlainDigits(text.normalize('NFKC').replace(INVISIBLE, '')).replace(HYPHENS, '-');
  return between(plain, (character) => /[\p{L}\p{N}]/u.test(character));
}

/**
 * The one address in a typed text: without its name (`Ann <ann@example.com>`), without quotes and full stops around it,
 * and without invisible characters. Text that could mean two addresses, or has none, stays as it is. `normalizeEmail`
 * decides whether the result is an address.
 */
export function typedEmail(text: string): string {
  const bare = text.length > LENGTH_MAX ? text : withoutName(inAngles(text)).trim();
  if (bare.length > ADDRESS_LENGTH_MAX || !text.isWellFormed()) return text;
  const address = withoutScheme(bare);
  const plain = withoutSurroundings(withPlainDigits(address.normalize('NFKC').replace(INVISIBLE, '')));
  // Beyond ASCII, joiners and digits tell domains apart (UTS 46): without them it would be somebody else's.
  const read = /^[\0-\x7F]*$/.test(plain)
    ? plain
    : withoutSurroundings(address.replace(/[^\P{Cf}\u200C\u200D]/gu, ''));
  return read === '' ? text : read;
}

/**
 * The distinct addresses in a pasted list, each as by `typedEmail`. They may be separated by line breaks, commas,
 * semicolons or spaces, and have names. What may be meant as an address and is none stays in the list, so that it is
 * reported: bullets are not, and no words beside an address, unless they have a dot within.
 */
export function typedEmails(pasted: string): string[] {
  const found = new Map<string, string>();
  const add = (text: string): void => {
    const email = typedEmail(text);
    const key = email.toLowerCase();
    if (/[\p{L}\p{N}]/u.test(email) && !found.has(key)) found.set(key, email);
  };
  // The comma of a quoted name ("Example, Ann" <ann@example.com>) separates nothing, nor does a folded line.
  for (const line of inAngles(pasted)
    .replace(/"[^"\n\r]*"(?=\s*<)/g, '')
    .replace(/\r?\n[ \t]+(?=<)/g, ' ')
    .split(/[\n\r]+/)) {
    const parts = line.replace(SENT_AT, '').split(/[,;\u3001\uFF0C\uFF1B\u060C\u061B]+|(?<=>)(?=[^<>]*<)/);
    parts.forEach((part, at) => {
      if (part.includes('<')) return add(part);
      // Outlook writes `Example, Ann <ann@example.com>`.
      if (!part.includes('@') && parts[at + 1]?.includes('<') === true) return undefined;
      const words = part.split(/\s+/).filter(Boolean);
      const isNamed = words.some((word) => word.includes('@'));
      return words.filter((word) => !isNamed || /@|\w\.\w/.test(word)).forEach(add);
    });
  }
  return [...found.values()];
}

/** WhatsApp writes `[28/11/2026, 16:25:03] Ann: ` in front of each message. */
const SENT_AT = /^[^[\]\p{L}@]{0,9}\[[\d\s/.,:\u202Fapm-]{1,40}\]/iu;

/** Composed (NFC), on one line, and without characters that turn the direction of the text around it (UAX 9). */
export function typedName(text: string): string {
  if (text.length > LENGTH_MAX || !text.isWellFormed()) return text;
  return text.normalize('NFC').replace(DIRECTIONS, '').replaceAll('\t', ' ').trim();
}

const DIRECTIONS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** Whether a text shows anything; a Hangul filler and an empty Braille cell are letters and symbols, but show nothing. */
export function isVisible(text: string): boolean {
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(text.replace(/[\p{Default_Ignorable_Code_Point}\u2800]/gu, ''));
}

function withPlainDigits(text: string): string {
  return text.replace(/[^\P{Nd}0-9]/gu, (digit) => String(valueOf(digit.codePointAt(0) ?? 0)));
}

/** The digits of a script follow one another from zero to nine, and some scripts follow one another, too. */
function valueOf(code: number): number {
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return (code - zero) % 10;
}

/** Outlook writes `Ann [mailto:ann@example.com]`, and Markdown `[Ann](mailto:ann@example.com)`. */
function inAngles(text: string): string {
  return text.replace(/\[(mailto:[^[\]]*)\]|\((mailto:[^()]*)\)/gi, '<$1$2>');
}

function withoutScheme(address: string): string {
  const trimmed = address.trim();
  return /^mailto:/i.test(trimmed) ? trimmed.slice('mailto:'.length).split('?', 1).join('') : trimmed;
}

/** The address in angle brackets at the end, if the name before it is not another address. */
function withoutName(text: string): string {
  const [all = '', inBrackets] = /<([^<>]*)>[^<>@]*$/.exec(text) ?? [];
  if (inBrackets === undefined) return text;
  const name = text.slice(0, text.length - all.length);
  const isOther =
    name.includes('@') && withoutSurroundings(name).toLowerCase() !== withoutScheme(inBrackets).toLowerCase();
  return isOther || name.includes('<') ? text : inBrackets;
}

const LOCAL_SIGNS = "!#$%&'*+/=?^_`{|}~-";

/** Chats and Markdown write `*ann@example.com*`. */
const QUOTES = "'`*_~";

/** A domain ends in a letter or digit; a local part may begin with a sign, and so does one that is quoted. */
function withoutSurroundings(address: string): string {
  const isLetter = (character: string): boolean => /[\p{L}\p{N}]/u.test(character);
  const end = between(`x${address}`, isLetter).slice(1);
  const first = address.trim().charAt(0);
  const isQuoted = QUOTES.includes(first) && address.slice(end.length).includes(first);
  return between(end, (character) => isLetter(character) || (!isQuoted && LOCAL_SIGNS.includes(character)));
}

/** The text from its first such character to its last. */
function between(text: string, is: (character: string) => boolean): string {
  let [from, to] = [0, text.length];
  while (from < to && !is(characterAt(text, from))) from += characterAt(text, from).length;
  while (from < to && !is(characterBefore(text, to))) to -= characterBefore(text, to).length;
  return text.slice(from, to);
}

function characterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0);
}

function characterBefore(text: string, end: number): string {
  const isPair = /[\uDC00-\uDFFF]/.test(text.charAt(end - 1)) && /[\uD800-\uDBFF]/.test(text.charAt(end - 2));
  return text.slice(end - (isPair ? 2 : 1), end);
}
