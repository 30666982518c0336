import type { TObject, TSchema } from '@gatehouse/schema';

export interface ShownSetting {
  name: string;
  /** `set` instead of a secret; null if it is not set. */
  value: string | number | boolean | null;
}

/** Of a secret only whether it is set, and of any address no user name, password or query. */
export function effectiveSettings(
  schema: TObject,
  config: Readonly<Record<string, unknown>>,
): ShownSetting[] {
  return Object.entries<TSchema>(schema.properties)
    .map(([name, property]) => ({ name, value: shownValue(property, config[name]) }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

function shownValue(schema: TSchema, value: unknown): ShownSetting['value'] {
  if (value === '' || !isPlain(value)) return null;
  if ((schema as { writeOnly?: boolean }).writeOnly === true) return 'set'; // a member of JSON Schema
  if (typeof value !== 'string') return value;
  // A certificate is not secret, but too long to show.
  return value.includes('\n') ? 'set' : value.split(SEPARATORS).map(withoutCredentials).join('');
}

function isPlain(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

const SEPARATORS = /([,\s])/;
const SCHEME_END = '://';

function withoutCredentials(word: string): string {
  const at = word.indexOf(SCHEME_END);
  if (at === -1) return word;
  const place = word.slice(at + SCHEME_END.length);
  // The last one, as passwords may contain `@`.
  const [shown = ''] = place.slice(place.lastIndexOf('@') + 1).split(/[?#]/, 1);
  return `${word.slice(0, at)}${SCHEME_END}${shown}`;
}
