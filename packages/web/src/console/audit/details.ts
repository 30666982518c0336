/** One detail of a change, as text. */
export interface Detail {
  name: string;
  value: string;
  /** The previous value. */
  before?: string;
  /** The kind of object whose id the value is. */
  kind?: string;
}

const BEFORE = 'Previous';

/** The details of docs/audit.md that contain ids, and the kind of object that each id belongs to. */
const KINDS: Readonly<Partial<Record<string, string>>> = {
  UserId: 'Account',
  OwnerId: 'Account',
  TransferContentTo: 'Account',
  ContentDefinitionId: 'ContentDefinition',
  PersonId: 'Person',
  ReplacedBy: 'ApiToken',
  ClientId: 'OauthClient',
};

/** The details of a change, each with its values after and, if known, before the change. */
export function detailsOf(details: Readonly<Record<string, unknown>>): Detail[] {
  return Object.entries(details)
    .filter(([name]) => !(name.startsWith(BEFORE) && Object.hasOwn(details, name.slice(BEFORE.length))))
    .map(([name, value]) => {
      const kind = typeof value === 'string' ? KINDS[name] : undefined;
      const before = details[`${BEFORE}${name}`];
      return {
        name,
        value: textOf(value),
        ...(before !== undefined && { before: textOf(before) }),
        ...(kind !== undefined && { kind }),
      };
    });
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
