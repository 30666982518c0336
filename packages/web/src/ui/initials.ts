/** The initials of a name: of its first and its last word. Of an email address, the first letter. */
export function initialsOf(name: string): string {
  const words = name.split('@')[0]?.match(/[\p{L}\p{N}]\S*/gu) ?? [];
  const letters = [words[0], name.includes('@') ? undefined : words.slice(1).at(-1)];
  return letters.map((word) => Array.from(word ?? '')[0]?.toLocaleUpperCase() ?? '').join('');
}
