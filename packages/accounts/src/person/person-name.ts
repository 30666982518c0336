import { Text } from '@gatehouse/schema';

/** A person's name as it is given. */
export function PersonName() {
  return Text(LENGTH_MAX, { description: 'Unique after NFKC normalization, trimming and case folding' });
}

/** The name to store and the key to compare it by; `undefined` when it is empty or too long after normalization. */
export function readName(typed: string): { name: string; nameKey: string } | undefined {
  const nameKey = nameKeyOf(typed);
  // Some characters stand for up to eighteen others.
  if (nameKey === '' || Array.from(nameKey).length > 2 * LENGTH_MAX) return undefined;
  return { name: typed.trim(), nameKey };
}

/**
 * What makes two names the same: NFKC, trimmed, case folded. The folding is the full one of Unicode, which JavaScript
 * lacks: letter by letter there and back again ends at the same letters, and knows no special case for a final sigma.
 * Only the dotless ı has another letter's capital, and stays itself.
 */
export function nameKeyOf(text: string): string {
  const plain = text.normalize('NFKC').trim();
  return Array.from(plain, folded).join('').normalize('NFKC');
}

function folded(letter: string): string {
  return letter === 'ı' ? letter : letter.toLowerCase().toUpperCase().toLowerCase();
}

const LENGTH_MAX = 200;
