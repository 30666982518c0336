/** One detail of a change, in text. */
export interface Detail {
  name: string;
  value: string;
  /** What it was before. */
  before?: string;
  /** What the value is the id of. */
  kind?: string;
}

const BEFORE = 'Previous';

/** The ids that details of docs/audit.md hold, by what they are of. */
const KINDS: Readonly<Partial<Record<string, string>>> = {
  UserId: 'Account',
  OwnerId: 'Account',
  TransferContentTo: 'Account',
  ContentDefinitionId: 'ContentDefinition',
  PersonId: 'Person',
  ReplacedBy: 'ApiToken',
};

/** The details of a change, with the values before and after it. */
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
