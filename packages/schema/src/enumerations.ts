import { Type } from 'typebox';

/** One of these words, in just this spelling. */
export function Enum<const T extends readonly [string, ...string[]]>(
  words: T,
  options: { default?: T[number]; description?: string } = {},
) {
  return Type.Enum<T[number][]>([...words], { type: 'string', ...options });
}

/** One of these names, as answers carry it; requests may write it in upper or lower case. */
export function NameOf<const T extends readonly string[]>(names: T) {
  return Type.Enum<T[number][]>([...names], { type: 'string', anyCaseOf: [...names] });
}

/**
 * One of the integers of a numbered set, as answers carry it; the names are described for readers. With a `title`, the set
 * is one type of generated clients.
 */
export function Integers<T extends Record<string, number>>(set: T, title?: string) {
  const values = Object.values(set) as T[keyof T][]; // they are that set's
  const options = { type: 'integer', description: describeNumbers(set) };
  return Type.Enum(values, title === undefined ? options : { ...options, title });
}

/**
 * One of the integers of a numbered set as requests give it: by its integer or by its name, whatever the case.
 * What the check lets through is the integer.
 */
export function OneOf<T extends Record<string, number>>(set: T) {
  return Type.Unsafe<T[keyof T]>({ numberOf: set });
}

/** The integer for a name or a number, or `undefined` if the set has no such value. */
export function numberOf(set: Record<string, number>, given: unknown): number | undefined {
  if (typeof given !== 'string') return Object.values(set).find((number) => number === given);
  const name = given.toLowerCase();
  return Object.entries(set).find(([one]) => one.toLowerCase() === name)?.[1];
}

/** The numbers of a set with their names, for readers: `1 Normal, 2 ChatDisabled`. */
export function describeNumbers(set: Record<string, number>): string {
  return Object.entries(set)
    .map(([name, value]) => `${value} ${name}`)
    .join(', ');
}
