/** Whether a text looks like an email address; the API decides. */
export function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(text);
}

/**
 * The distinct email addresses in a pasted text. They may be separated by line breaks, commas, semicolons or spaces,
 * or have the form `Ann <ann@example.com>`.
 */
export function parseEmails(pasted: string): string[] {
  const found = new Map<string, string>();
  for (const part of pasted.split(/[,;\n\r]+/)) {
    const [, inBrackets] = /<([^<>]*)>/.exec(part) ?? [];
    const words = inBrackets === undefined ? part.split(/\s+/) : [inBrackets.trim()];
    for (const word of words)
      if (word !== '') found.set(word.toLowerCase(), found.get(word.toLowerCase()) ?? word);
  }
  return [...found.values()];
}
