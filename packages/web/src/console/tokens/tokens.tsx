import type { Answer } from '../api/call-api.ts';
import { type Act, actsOn, calls, creates, defineScreen, menuOf, sends } from '../kit/act.tsx';
import { choice, list, text } from '../kit/fields.tsx';
import { defineList } from '../kit/list.tsx';
import { ActorLink, TokenLink } from '../objects.tsx';
import { type TextKey, words, wordsFor } from '../text.ts';
import { ago, at, Copy, type Fact, linkTo, type State, StateBadge } from '../ui/values.tsx';

type ApiToken = Answer<'GET /admin/api-token/{id}'>;

function isLive({ RevokedAt, ExpiresAt }: ApiToken): boolean {
  return RevokedAt === null && (ExpiresAt === null || Date.parse(ExpiresAt) > Date.now());
}

function stateOf(token: ApiToken): State {
  if (token.RevokedAt !== null) return ['danger', 'tokens.state.revoked'];
  if (!isLive(token)) return ['neutral', 'tokens.state.expired'];
  if (token.ReplacedBy !== null) return ['warning', 'tokens.state.replaced'];
  return ['success', 'tokens.state.active'];
}

export function TokenState({ token }: { token: ApiToken }) {
  return <StateBadge state={stateOf(token)} />;
}

/** The fewest rights first. */
const ROLES = ['Feed', 'Service', 'Admin'] as const;
const DAYS = [30, 90, 365] as const;
const DAY_MS = 86_400_000;

const HOUR = 3_600;
const OVERLAPS = [
  ['none', 0],
  ['hour', HOUR],
  ['day', 24 * HOUR],
  ['week', 7 * 24 * HOUR],
  ['month', 30 * 24 * HOUR],
] as const;

/** For how long a replaced token or secret goes on working. */
export function overlap(label: TextKey) {
  return choice('OverlapSeconds', label, {
    initial: String(24 * HOUR),
    options: () =>
      OVERLAPS.map(([name, seconds]) => ({ value: String(seconds), words: words(`tokens.overlap.${name}`) })),
    as: Number,
  });
}

const tokenOnce = ({ Token: secret }: { Token: string }) => ({ secret, texts: 'tokens.token' }) as const;

const roleOf = (role: ApiToken['Role']) => `${words(`role.${role}`)}: ${words(`tokens.role.${role}`)}`;

const CREATE = creates({
  label: 'tokens.create',
  fields: [
    text('Name', 'tokens.name'),
    choice('Role', 'accounts.role', {
      initial: 'Feed',
      options: () => ROLES.map((value) => ({ value, words: roleOf(value) })),
      as: (chosen) => ROLES.find((one) => one === chosen) ?? 'Feed',
    }),
    choice('ExpiresAt', 'tokens.expires', {
      initial: '90',
      options: () => [
        ...DAYS.map((days) => ({ value: String(days), words: words('tokens.days', { days }) })),
        { value: '', words: words('account.never') },
      ],
      as: (days) => (days === '' ? undefined : new Date(Date.now() + Number(days) * DAY_MS).toISOString()),
    }),
    list('Networks', 'tokens.networks', { empty: undefined }),
  ],
  run: (callApi, _, body) => callApi('POST /admin/api-token', { body }),
  secret: tokenOnce,
});

const act = actsOn<ApiToken>();

const ACTS: readonly Act<ApiToken>[] = [
  act({
    label: 'tokens.rotate',
    if: (token) => isLive(token) && token.ReplacedBy === null,
    fields: [overlap('tokens.overlap')],
    run: sends('POST /admin/api-token/{id}/rotate'),
    secret: tokenOnce,
  }),
  act({
    label: 'tokens.revoke',
    kind: 'danger',
    if: ({ RevokedAt }) => RevokedAt === null,
    run: calls('DELETE /admin/api-token/{id}'),
  }),
];

const PREFIX: Fact<ApiToken> = ['tokens.prefix', ({ Prefix }) => <code>{Prefix}…</code>];

const NETWORKS: Fact<ApiToken> = [
  'tokens.networks',
  ({ Networks }) => Networks?.join(', ') ?? words('tokens.anywhere'),
  'clipped',
];

export const TokenScreen = defineScreen({
  operation: 'GET /admin/api-token/{id}',
  texts: 'tokens',
  state: (token) => <TokenState token={token} />,
  facts: () => [
    ['audit.id', ({ Id }) => <Copy value={Id} label={words('tokens.id')} />],
    PREFIX,
    ['accounts.role', ({ Role }) => roleOf(Role)],
    at('accounts.created', 'CreatedAt'),
    [
      'tokens.createdBy',
      ({ CreatedBy }) => (CreatedBy === null ? words('tokens.installation') : <ActorLink id={CreatedBy} />),
    ],
    at('tokens.used', 'LastUsedAt', 'tokens.unused'),
    ['tokens.usedFrom', ({ LastUsedIp }) => LastUsedIp],
    NETWORKS,
    at('tokens.expires', 'ExpiresAt', 'account.never'),
    [
      'tokens.replacedBy',
      ({ ReplacedBy }) => ReplacedBy && <TokenLink id={ReplacedBy} label={words('tokens.id')} />,
    ],
    at('tokens.revokedAt', 'RevokedAt'),
    [
      'c.audit.title',
      ({ Id }) => (
        <>
          <a href={`/console/audit?targetId=${Id}`}>{words('tokens.changes')}</a>,{' '}
          <a href={`/console/audit?actorId=${Id}`}>{words('tokens.did')}</a>
        </>
      ),
    ],
  ],
  acts: ACTS.map((one) => ({ ...one, button: 'button' })),
});

export const TokensScreen = defineList({
  operation: 'GET /admin/api-token',
  caption: 'c.tokens.title',
  none: 'tokens.none',
  columns: [
    linkTo('tokens.name', 'tokens', 'Id', 'Name'),
    ['fact.state', (token) => <TokenState token={token} />],
    PREFIX,
    ['accounts.role', ({ Role }) => wordsFor('role', Role)],
    ago('tokens.used', 'LastUsedAt'),
    ago('tokens.expires', 'ExpiresAt'),
    NETWORKS,
    ago('accounts.created', 'CreatedAt', 'secondary'),
    menuOf(ACTS, 'Name'),
  ],
  acts: [CREATE],
});
