import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * The address in the one spelling that is stored and mailed: NFKC, trimmed, the domain in lower-case ASCII
 * (IDNA). `undefined` when it is not one plain mailbox. Only dot-atoms are taken (RFC 5321 §4.1.2): quoted
 * local parts and comments are legal, unused by people, and a known way to smuggle a second recipient.
 */
export function normalizeEmail(text: string): string | undefined {
  if (text.length > 320 || !text.isWellFormed()) return undefined;
  const plain = text.normalize('NFKC').trim();
  const at = plain.lastIndexOf('@');
  const local = plain.slice(0, at);
  if (at < 1 || local.length > 64 || !DOT_ATOM.test(local)) return undefined;
  // IDNA takes an ideographic full stop for a dot (RFC 3490 §3.1); NFKC has made one of its other forms.
  const domain = domainOf(plain.slice(at + 1).replaceAll('\u3002', '.'));
  if (domain === undefined) return undefined;
  const email = `${local}@${domain}`;
  return email.length <= 254 ? email : undefined;
}

/** What makes two addresses the same: the normalised address in lower case. Takes a normalised address. */
export function emailKey(normalizedEmail: string): string {
  return normalizedEmail.toLowerCase();
}

/**
 * The domain in lower-case ASCII. `domainToASCII` reads hosts of URLs: it cuts at `/`, `?`, `#` and `\`, leaves tabs
 * and line breaks out, decodes `%2e` and takes `0x7f.1` for an address. So what a domain may hold is looked at before,
 * and it is given nothing but names with letters beyond ASCII. What is made of them is looked at again.
 */
function domainOf(plain: string): string | undefined {
  if (plain.length > 253 || !isPlain(plain)) return undefined;
  const lower = plain.toLowerCase();
  const isConverted = !/^[a-z0-9.-]*$/.test(lower) || lower.split('.').some(isEncoded);
  const domain = isConverted ? convert(lower) : lower;
  if (domain === undefined || domain.length > 253 || !DOMAIN.test(domain)) return undefined;
  // Clients take a name that ends in a number for an IP address, in hexadecimal too.
  return /^(?:\d+|0x[0-9a-f]*)$/.test(domain.slice(domain.lastIndexOf('.') + 1)) ? undefined : domain;
}

/** A name with letters beyond ASCII, or whose labels are encoded already; both must mean one and the same. */
function convert(lower: string): string | undefined {
  const domain = domainToASCII(lower);
  if (domain.split('.').length !== lower.split('.').length) return undefined;
  const readable = domainToUnicode(domain);
  // A label that cannot be decoded stays encoded; one that hides other characters shows them.
  if (readable.split('.').some(isEncoded) || !isPlain(readable)) return undefined;
  return domainToASCII(readable) === domain ? domain : undefined;
}

/** Letters with their marks, digits, hyphens and dots, of any script; none that IDNA leaves out without a word. */
function isPlain(domain: string): boolean {
  return /^[\p{L}\p{M}\p{Nd}.-]+$/u.test(domain) && !/\p{Default_Ignorable_Code_Point}/u.test(domain);
}

/** Whether a label of a domain is written in Punycode (RFC 5890 §2.3.2.1). */
function isEncoded(label: string): boolean {
  return label.startsWith('xn--');
}

const DOT_ATOM = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
