/**
 * The floors of `packages/accounts`. A folder imports floors before its own; folders of one floor (the slices) do not
 * import each other. What is not listed here stands below all floors: the files directly in `src`.
 */
const FLOORS = [
  ['settings'],
  ['checks'],
  ['session'],
  ['account'],
  [
    'email-login',
    'erasure',
    'guest',
    'handover',
    'import',
    'mail',
    'passkey',
    'sign-in',
    'sso',
    'statistics',
    'two-factor',
  ],
  ['login'],
  ['open'],
  ['testing'],
];

/** The imports that go up, or from one slice to another, with their reasons. */
export const CROSSINGS: Readonly<Record<string, string>> = {
  'session -> passkey': 'a session is confirmed with a passkey',
  'account -> erasure': 'a change of an account leaves it disabled while it is to be erased',
  'passkey -> two-factor': 'a proof may ask for the second factor',
  'two-factor -> passkey': 'the second step of a login may be a passkey',
  'guest -> handover': 'the first session of a guest opens with a code, as that of a hand-over does',
  'sso -> handover': 'a sign-on ends in a code, as a hand-over does',
};

const ROOT = 'packages/accounts/src/';

/** How an import from one file to another breaks the rule of the floors, as `from -> to`. */
export function crossing(from: string, to: string): string | undefined {
  const [mine, other] = [folderOf(from), folderOf(to)];
  if (mine === undefined || other === undefined || mine === other) return undefined;
  if (from.endsWith('.test.ts') || floorOf(other) < floorOf(mine)) return undefined;
  return `${mine} -> ${other}`;
}

function folderOf(path: string): string | undefined {
  const [folder, ...file] = path.slice(ROOT.length).split('/');
  return path.startsWith(ROOT) && file.length > 0 ? folder : undefined;
}

function floorOf(folder: string): number {
  const floor = FLOORS.findIndex((folders) => folders.includes(folder));
  if (floor < 0) throw new Error(`packages/accounts/src/${folder} has no floor: give it one in slices.ts`);
  return floor;
}
