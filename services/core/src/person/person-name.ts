import { Text } from '@gatehouse/schema';

export function PersonName() {
  return Text(LENGTH_MAX, { description: 'Unique after NFKC normalization, trimming and case folding' });
}

/** The name to store and the key for comparing it; `undefined` if it is empty or too long after normalization. */
export function readName(typed: string): { name: string; nameKey: string } | undefined {
  const nameKey = nameKeyOf(typed);
  // Normalization can replace a character by up to eighteen others.
  if (nameKey === '' || Array.from(nameKey).length > 2 * LENGTH_MAX) return undefined;
  return { name: typed.trim(), nameKey };
}

/**
 * The key by which names are compared: NFKC, trimmed, case folded. JavaScript lacks Unicode's full case folding;
 * converting letter by letter to upper case and back has the same result, without a special case for the final sigma.
 * Only the dotless ı, whose upper case is that of another letter, is left as it is.
 */
export function nameKeyOf(text: string): string {
  const plain = text.normalize('NFKC').trim();
  return Array.from(plain, folded).join('').normalize('NFKC');
}

function folded(letter: string): string {
  return letter === 'ı' ? letter : letter.toLowerCase().toUpperCase().toLowerCase();
}

const LENGTH_MAX = 200;
