import { emailKey } from '@gatehouse/schema';
import { ago, DAY, HOUR, MINUTE, type DemoWorld } from './demo-world.ts';
import { bytea, type Row } from './insert-rows.ts';
import { FIRST_NAMES, LAST_NAMES } from './people-names.ts';

/** The domain of every invented address. It distinguishes invented addresses from real ones. */
export const DEMO_DOMAIN = '@demo.example';

/** An invented person. */
export interface DemoPerson {
  id: string;
  email: string;
  name: string;
  locale: string;
  role: 'Admin' | 'User' | 'Guest';
  condition: Condition;
  createdAt: Date;
  /** Undefined for a person who has never logged in. */
  lastLoginAt: Date | undefined;
  hasTwoFactor: boolean;
  hasSignOn: boolean;
}

type Condition = 'fine' | 'disabled' | 'unverified' | 'migration' | 'new-password' | 'expired' | 'invited';

const USERS = 262;
const GUESTS = 84;
const ADMINS = ['Admin Lindqvist', 'Admin Okafor', 'Admin Sato'];
/** How many of one hundred users are in each condition; the others are in normal condition. */
const CONDITIONS: readonly [Condition, number][] = [
  ['disabled', 4],
  ['unverified', 6],
  ['migration', 5],
  ['new-password', 3],
  ['expired', 3],
];

/** The emails of the invented administrators. Nobody may get into their accounts without a password. */
export const DEMO_ADMIN_EMAILS = ADMINS.map((name) => emailOf(name));

export function inventPeople(world: DemoWorld): DemoPerson[] {
  const names = new Set<string>();
  const someName = (): string => {
    for (;;) {
      const name = `${world.random.pick(FIRST_NAMES)} ${world.random.pick(LAST_NAMES)}`;
      if (names.has(name)) continue;
      names.add(name);
      return name;
    }
  };
  return [
    ...ADMINS.map((name) => somebody(world, { name, role: 'Admin', condition: 'fine' })),
    ...Array.from({ length: USERS }, () =>
      somebody(world, { name: someName(), role: 'User', condition: someCondition(world) }),
    ),
    ...Array.from({ length: GUESTS }, (_, at) =>
      somebody(world, { name: someName(), role: 'Guest', condition: at % 3 === 0 ? 'invited' : 'fine' }),
    ),
  ];
}

function someCondition({ random }: DemoWorld): Condition {
  let left = random.next() * 100;
  for (const [condition, share] of CONDITIONS) {
    left -= share;
    if (left < 0) return condition;
  }
  return 'fine';
}

/** Invitations expire, and accounts that nobody has verified are erased. */
const RECENT: readonly Condition[] = ['invited', 'unverified'];

function somebody(
  world: DemoWorld,
  { name, role, condition }: Pick<DemoPerson, 'name' | 'role' | 'condition'>,
): DemoPerson {
  const { random } = world;
  const days = RECENT.includes(condition)
    ? random.whole(1, 12)
    : random.whole(3, role === 'Guest' ? 90 : 400);
  const createdAt = ago(world, days * DAY + random.whole(0, 23) * HOUR + random.whole(0, 59) * MINUTE);
  const hasLoggedIn = !['unverified', 'migration', 'invited'].includes(condition);
  // Most people log in often; a few have not logged in for months.
  const since = Math.min(days * DAY, (random.isLucky(0.85) ? random.next() ** 3 * 20 : 120) * DAY);
  return {
    id: random.idAt(createdAt),
    email: emailOf(name),
    name,
    role,
    condition,
    createdAt,
    locale: random.isLucky(0.35) ? 'de' : 'en',
    lastLoginAt: hasLoggedIn ? ago(world, since + random.whole(2, 90) * MINUTE) : undefined,
    hasTwoFactor: role === 'Admin' ? name !== ADMINS[2] : hasLoggedIn && random.isLucky(0.2),
    hasSignOn: role === 'User' && hasLoggedIn && random.isLucky(0.25),
  };
}

function emailOf(name: string): string {
  const ascii = name.toLowerCase().replaceAll('ø', 'o').normalize('NFD').replaceAll(/\p{M}/gu, '');
  return `${ascii.replaceAll(' ', '.').replaceAll('ł', 'l')}${DEMO_DOMAIN}`;
}

/** The rows of `account`, `two_factor`, `recovery_code` and `sso_identity`. */
export function rowsOfPeople(world: DemoWorld, people: readonly DemoPerson[]): Record<string, Row[]> {
  const withTwoFactor = people.filter(({ hasTwoFactor }) => hasTwoFactor);
  return {
    account: people.map((person) => accountOf(world, person)),
    two_factor: withTwoFactor.map(({ id, createdAt }) => ({
      account_id: id,
      secret_sealed: bytea(world.sealTotpSecret(id)),
      enabled_at: createdAt,
      last_used_step: 0,
      created_at: createdAt,
      password_version: 0,
    })),
    recovery_code: withTwoFactor.flatMap(({ id }, at) =>
      Array.from({ length: 10 }, (_, code) => ({
        account_id: id,
        code_hash: bytea(world.random.bytes(32)),
        used_at: code < at % 4 ? ago(world, (code + 1) * DAY) : null,
      })),
    ),
    sso_identity: people
      .filter(({ hasSignOn }) => hasSignOn)
      .map(({ id, email, createdAt }) => ({
        issuer: world.issuer,
        // The subject that the demo identity provider assigns to this email.
        subject: Buffer.from(email).toString('base64url'),
        account_id: id,
        provider: 'demo',
        linked_at: createdAt,
      })),
  };
}

function accountOf(world: DemoWorld, person: DemoPerson): Row {
  const { condition, createdAt } = person;
  const hasPassword = condition !== 'migration' && condition !== 'invited';
  const isExpired = condition === 'expired';
  return {
    id: person.id,
    email: person.email,
    email_key: emailKey(person.email),
    display_name: person.name,
    locale: person.locale,
    role: person.role,
    signup: condition === 'migration' ? 'migration' : condition === 'invited' ? 'invitation' : 'complete',
    password_hash: hasPassword ? world.passwordHash : null,
    password_scheme: hasPassword ? 'peppered' : null,
    password_version: 0,
    email_verified_at: hasPassword && condition !== 'unverified' ? createdAt : null,
    is_disabled: condition === 'disabled',
    expires_at: isExpired ? ago(world, 2 * DAY) : null,
    new_password_required: condition === 'new-password',
    two_factor_required: false,
    is_contested: false,
    created_at: createdAt,
    last_login_at: person.lastLoginAt ?? null,
  };
}
