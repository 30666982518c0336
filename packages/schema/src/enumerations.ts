import { Type } from 'typebox';

/** One of these words, in exactly this spelling. */
export function Enum<const T extends readonly [string, ...string[]]>(
  words: T,
  options: { default?: T[number]; description?: string } = {},
) {
  return Type.Enum<T[number][]>([...words], { type: 'string', ...options });
}

/** One of these names; requests may use upper or lower case, answers have the name as given here. */
export function NameOf<const T extends readonly string[]>(names: T) {
  return Type.Enum<T[number][]>([...names], { type: 'string', anyCaseOf: [...names] });
}

/** In answers: one of the integers. With a `title`, generated clients get one common type for the enumeration. */
export function Integers<T extends Record<string, number>>(set: T, title?: string) {
  const values = Object.values(set) as T[keyof T][]; // the values have the type of the set
  const options = { type: 'integer', description: describeNumbers(set) };
  return Type.Enum(values, title === undefined ? options : { ...options, title });
}

/** In requests: one of the integers or its name, in any case, which the check converts to the integer. */
export function OneOf<T extends Record<string, number>>(set: T) {
  return Type.Unsafe<T[keyof T]>({ numberOf: set });
}

/** The integer for a name or a number; `undefined` if the enumeration has no such value. */
export function numberOf(set: Record<string, number>, given: unknown): number | undefined {
  if (typeof given !== 'string') return Object.values(set).find((number) => number === given);
  const name = given.toLowerCase();
  return Object.entries(set).find(([one]) => one.toLowerCase() === name)?.[1];
}

/** The numbers of an enumeration with their names, for readers: `1 Normal, 2 ChatDisabled`. */
export function describeNumbers(set: Record<string, number>): string {
  return Object.entries(set)
    .map(([name, value]) => `${value} ${name}`)
    .join(', ');
}
