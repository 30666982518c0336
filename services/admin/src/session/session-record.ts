import { isIP } from 'node:net';
import {
  by,
  computed,
  defineFilters,
  Field,
  moment,
  named,
  reading,
  record,
  search,
  time,
  timeOrNull,
  type RowOf,
} from '@gatehouse/kit';
import { END_REASONS, Integers, Nullable, OneOf, SessionStatus, Text, Type, Uuid } from '@gatehouse/schema';

const Unknown = Nullable(Type.String(), { description: 'null if unknown' });

const fields = {
  id: Uuid(),
  userId: computed(Uuid(), 's.account_id'),
  email: computed(Type.String(), 'a.email'),
  displayName: computed(Unknown, 'a.display_name'),
  isGuest: computed(Type.Boolean(), `a.role = 'Guest'`),
  status: Integers(SessionStatus, 'SessionStatus'),
  // Only its cached copy says so.
  isOnline: computed(
    Type.Boolean({ description: 'Whether the session was pinged within ONLINE_WINDOW_SECONDS' }),
    'false',
  ),
  tag: computed(
    Nullable(Type.String(), { description: 'The kind of device that the login named; null if none' }),
    `nullif(s.tag, '')`,
  ),
  deviceName: Unknown,
  userAgent: Unknown,
  ipAddress: computed(Unknown, 'host(s.ip_address)'),
  ssoProvider: Nullable(Type.String(), { description: 'null for a password login' }),
  createdAt: time(),
  lastSeenAt: timeOrNull({ description: 'Last ping, refresh or login; null for an invitation' }),
  expiresAt: expiry('The end of its absolute lifetime; for an invitation, the expiry of its link'),
  endedAt: timeOrNull({ description: 'null while active' }),
  contentDefinitionId: Nullable(Uuid(), {
    description: 'The content being watched or last watched; for an invitation, the shared content',
  }),
};

export function expiry(description: string) {
  const schema = Type.String({ format: 'date-time', description });
  return new Field<typeof schema, Date>(schema);
}

/** A session as administrators see it, from Postgres; an invitation has the same fields. */
export const Session = record('user_session', fields, {
  name: 'Session',
  from: { tables: 'user_session s join account a on a.id = s.account_id', alias: 's' },
});
export type Session = RowOf<typeof fields>;

export const sessionFilters = defineFilters(
  {
    status: by(OneOf(SessionStatus)),
    userId: by(Uuid()),
    search: search(
      100,
      'Matches part of the email address or name, case-insensitively (with one or two letters only the ' +
        'beginning of the email address or of a word in the name), or the ID of the session or of its account',
    ),
    isOnline: by(Type.Boolean(), 'Whether the session was pinged within ONLINE_WINDOW_SECONDS'),
    contentDefinitionId: by(Uuid()),
    ipAddress: network(),
    ssoProvider: by(Text(32)),
    deviceName: by(Text(100), 'The complete name'),
    tag: by(Text(32), 'The kind of device that the login named'),
    endReason: named('endReasons', endReasons()),
    createdFrom: moment(),
    createdTo: moment(),
    endedFrom: moment(),
    endedTo: moment(),
    lastSeenBefore: moment(),
  },
  {
    title: 'SessionFilter',
    description: 'The same filters as for listing sessions; at least one is required',
  },
);
export type SessionFilter = ReturnType<typeof sessionFilters.ofQuery>;

/** An IP address or a network in CIDR notation (RFC 4632, RFC 4291 §2.3). */
function network() {
  return reading(
    by(Text(50), 'The address at login, or a network such as 192.0.2.0/24'),
    { message: 'must be an IP address, or a network such as 192.0.2.0/24', code: 'malformed' },
    (text) => (isNetwork(text) ? text : undefined),
  );
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = address.includes('%') ? 0 : isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return (
    prefix === undefined || (/^[0-9]{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128))
  );
}

function endReasons() {
  const names = END_REASONS.join(', ');
  const description = `Why the session ended: one or more of these, separated by commas: ${names}`;
  const fault = { message: `must be of ${names}`, code: 'unknown_value' } as const;
  return reading(by(Text(400, { description })), fault, (text) => {
    const given = text.split(',').map((name) => name.trim());
    const known = END_REASONS.filter((reason) => given.includes(reason));
    return known.length === new Set(given).size ? known : undefined;
  });
}
