import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * The address in the one spelling that is stored and mailed to: NFKC, trimmed, the domain in lower-case ASCII (IDNA).
 * `undefined` if it is not a single plain mailbox. Only dot-atoms are accepted (RFC 5321 §4.1.2): quoted local parts
 * and comments are legal, but not used by people, and a known way to smuggle in a second recipient.
 */
export function normalizeEmail(text: string): string | undefined {
  if (text.length > 320 || !text.isWellFormed()) return undefined;
  const plain = text.normalize('NFKC').trim();
  const at = plain.lastIndexOf('@');
  const local = plain.slice(0, at);
  if (at < 1 || local.length > 64 || !DOT_ATOM.test(local)) return undefined;
  // IDNA treats an ideographic full stop as a dot (RFC 3490 §3.1); NFKC has converted one of its variants to that.
  const domain = domainOf(plain.slice(at + 1).replaceAll('\u3002', '.'));
  if (domain === undefined) return undefined;
  const email = `${local}@${domain}`;
  return email.length <= 254 ? email : undefined;
}

/** The key by which addresses are compared: the normalised address in lower case. Requires a normalised address. */
export function emailKey(normalizedEmail: string): string {
  return normalizedEmail.toLowerCase();
}

/**
 * The domain in lower-case ASCII. `domainToASCII` is made for hosts of URLs: it cuts at `/`, `?`, `#` and `\`, removes
 * tabs and line breaks, decodes `%2e` and reads `0x7f.1` as an IP address. Therefore the characters of the domain are
 * checked before, only names that need it are converted, and the result is checked again.
 */
function domainOf(plain: string): string | undefined {
  if (plain.length > 253 || !isPlain(plain)) return undefined;
  const lower = plain.toLowerCase();
  const isConverted = !/^[a-z0-9.-]*$/.test(lower) || lower.split('.').some(isEncoded);
  const domain = isConverted ? convert(lower) : lower;
  if (domain === undefined || domain.length > 253 || !DOMAIN.test(domain)) return undefined;
  // Clients read a name that ends in a number as an IP address, also in hexadecimal.
  return /^(?:\d+|0x[0-9a-f]*)$/.test(domain.slice(domain.lastIndexOf('.') + 1)) ? undefined : domain;
}

/** A name with non-ASCII letters or encoded labels; `undefined` if both forms do not mean the same name. */
function convert(lower: string): string | undefined {
  const domain = domainToASCII(lower);
  if (domain.split('.').length !== lower.split('.').length) return undefined;
  const readable = domainToUnicode(domain);
  // A label that cannot be decoded stays encoded; decoding reveals labels that hide other characters.
  if (readable.split('.').some(isEncoded) || !isPlain(readable)) return undefined;
  return domainToASCII(readable) === domain ? domain : undefined;
}

/** Only letters with marks, digits, hyphens and dots, of any script; none that IDNA silently removes. */
function isPlain(domain: string): boolean {
  return /^[\p{L}\p{M}\p{Nd}.-]+$/u.test(domain) && !/\p{Default_Ignorable_Code_Point}/u.test(domain);
}

/** Whether a label of a domain is written in Punycode (RFC 5890 §2.3.2.1). */
function isEncoded(label: string): boolean {
  return label.startsWith('xn--');
}

const DOT_ATOM = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
