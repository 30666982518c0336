/** Addresses out of what was pasted: one a line, or with commas, semicolons or spaces, and as `Ann <ann@example.com>`; each once. */
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
