import type { ComponentChildren } from 'preact';
import { RELEASE_2FA, REMOVE_2FA, REQUIRE_2FA, RESET } from '../account/actions.tsx';
import { type Account, type Answer, type QueryResult, useConsole, useQuery } from '../api/call-api.ts';
import { ActButton, actsOn } from '../kit/act.tsx';
import { ProviderName } from '../objects.tsx';
import { type TextKey, words, wordsFor } from '../text.ts';
import { TokenState } from '../tokens/tokens.tsx';
import { DialogPlace } from '../ui/dialog.tsx';
import { Card, FactList, Loaded } from '../ui/screen-page.tsx';
import { DataTable } from '../ui/table.tsx';
import { ago, badge, Badge, copied, type Fact, whether } from '../ui/values.tsx';

type Standing = Answer<'GET /admin/account/{id}/standing'>;
type Passkey = Answer<'GET /admin/account/{id}/passkey'>['Items'][number];
type Identity = Answer<'GET /admin/account/{id}/identity'>['Items'][number];

export function SignInMethods({ account }: { account: Account }) {
  return (
    <>
      <StandingFacts
        account={account}
        title="field.password"
        action={<ActButton act={RESET} row={account} />}
        facts={PASSWORD}
      />
      <SecondFactorCard account={account} />
      <PasskeysCard account={account} />
      <IdentitiesCard account={account} />
      <TokensCard id={account.Id} />
    </>
  );
}

interface FactsProps {
  account: Account;
  title: TextKey;
  action: ComponentChildren;
  facts: readonly Fact<Account & Standing>[];
}

function StandingFacts({ account, title, action, facts }: FactsProps) {
  const result = useQuery('GET /admin/account/{id}/standing', { path: { id: account.Id } });
  return (
    <Card title={words(title)} action={action}>
      <Loaded result={result} lines={2}>
        {(standing) => <FactList facts={facts} row={{ ...account, ...standing }} />}
      </Loaded>
    </Card>
  );
}

const PASSWORD: readonly Fact<Account & Standing>[] = [
  badge('methods.password.set', 'HasPassword', ['success', 'yes'], ['neutral', 'no']),
  [
    'methods.password.scheme',
    ({ PasswordScheme: scheme }) => scheme && wordsFor('methods.password.scheme', scheme),
  ],
  whether('account.newPasswordRequired', 'NewPasswordRequired'),
];

/** If this many recovery codes or fewer are left, the owner should create new ones. */
const FEW = 2;

function SecondFactorCard({ account }: { account: Account }) {
  const { Id, TwoFactorEnabled, TwoFactorRequired } = account;
  const isOwn = useConsole().me.Account.Id === Id;
  const act = TwoFactorEnabled ? REMOVE_2FA : TwoFactorRequired ? RELEASE_2FA : REQUIRE_2FA;
  return (
    <StandingFacts
      account={account}
      title="accounts.twoFactor"
      action={TwoFactorEnabled && isOwn ? <OwnFactors /> : <ActButton act={act} row={account} />}
      facts={[
        badge(
          'methods.authenticator',
          'TwoFactorEnabled',
          ['success', 'methods.authenticator.yes'],
          ['neutral', 'methods.authenticator.no'],
        ),
        [
          'methods.recoveryCodes',
          ({ RecoveryCodesLeft: left }) =>
            TwoFactorEnabled ? <Badge meaning={left > FEW ? 'success' : 'warning'}>{left}</Badge> : null,
        ],
        whether('account.twoFactorRequired', 'TwoFactorRequired'),
      ]}
    />
  );
}

/** Instead of a button that removes a second factor: administrators remove their own as every owner does. */
function OwnFactors() {
  return <a href="/console/profile">{words('methods.own')}</a>;
}

interface RowsProps<T> {
  /** Its title; with `.table` the name of the table, with `.none` what is said instead of an empty one. */
  texts: 'methods.passkeys' | 'methods.identities' | 'methods.tokens';
  result: QueryResult<{ Items: readonly T[] }>;
  keyOf?: (row: T) => string;
  columns: readonly Fact<T>[];
  children?: ComponentChildren;
}

function Rows<T>({ texts, result, keyOf, columns, children }: RowsProps<T>) {
  return (
    <Card title={words(texts)}>
      <DialogPlace>
        <Loaded result={result} lines={2}>
          {({ Items }) =>
            Items.length === 0 ? (
              <p class="quiet">{words(`${texts}.none`)}</p>
            ) : (
              <DataTable caption={`${texts}.table`} rows={Items} keyOf={keyOf} columns={columns} />
            )
          }
        </Loaded>
      </DialogPlace>
      {children}
    </Card>
  );
}

const REMOVE = actsOn<{ account: Account; passkey: Passkey }>()({
  label: 'methods.passkey.remove',
  kind: 'danger',
  values: ({ account: { Email }, passkey: { Name } }) => ({ name: Name, email: Email }),
  run: (callApi, { account: { Id: id }, passkey }) =>
    callApi('DELETE /admin/account/{id}/passkey/{passkeyId}', { path: { id, passkeyId: passkey.Id } }),
});

function PasskeysCard({ account }: { account: Account }) {
  const isOwn = useConsole().me.Account.Id === account.Id;
  return (
    <Rows<Passkey>
      texts="methods.passkeys"
      result={useQuery('GET /admin/account/{id}/passkey', { path: { id: account.Id } })}
      columns={[
        ['field.name', ({ Name }) => Name],
        [
          'methods.passkey.kind',
          ({ IsBackedUp }) => words(IsBackedUp ? 'methods.passkey.synced' : 'methods.passkey.oneDevice'),
        ],
        ago('fact.created', 'CreatedAt'),
        ago('tokens.used', 'LastUsedAt'),
        [
          'acts.menu',
          (passkey) => (isOwn ? <OwnFactors /> : <ActButton act={REMOVE} row={{ account, passkey }} />),
          'end',
        ],
      ]}
    />
  );
}

const UNLINK = actsOn<{ account: Account; identity: Identity }>()({
  label: 'methods.unlink',
  kind: 'danger',
  values: ({ account: { Email: email }, identity: { Issuer: provider } }) => ({ provider, email }),
  run: (callApi, { account: { Id: id }, identity }) =>
    callApi('DELETE /admin/account/{id}/identity/{number}', {
      path: { id, number: String(identity.Number) },
    }),
});

function IdentitiesCard({ account }: { account: Account }) {
  return (
    <Rows<Identity>
      texts="methods.identities"
      result={useQuery('GET /admin/account/{id}/identity', { path: { id: account.Id } })}
      keyOf={({ Number }) => String(Number)}
      columns={[
        [
          'methods.provider',
          ({ Provider }) =>
            Provider ? (
              <ProviderName id={Provider} />
            ) : (
              <span class="quiet">{words('methods.provider.gone')}</span>
            ),
        ],
        ['signOn.issuer', ({ Issuer }) => Issuer],
        copied('methods.subject', 'Subject'),
        ago('methods.linked', 'LinkedAt'),
        ['acts.menu', (identity) => <ActButton act={UNLINK} row={{ account, identity }} />, 'end'],
      ]}
    />
  );
}

function TokensCard({ id }: { id: string }) {
  const result = useQuery('GET /admin/api-token', { query: { createdBy: id, count: true } });
  const { Items: tokens = [], NextCursor: next } = result.data ?? {};
  return (
    <Rows
      texts="methods.tokens"
      result={result}
      columns={[
        ['tokens.name', ({ Id, Name }) => <a href={`/console/tokens/${Id}`}>{Name}</a>],
        ['fact.state', (token) => <TokenState token={token} />],
        ['accounts.role', ({ Role }) => wordsFor('role', Role)],
        ago('tokens.used', 'LastUsedAt'),
        ago('tokens.expires', 'ExpiresAt'),
      ]}
    >
      {(next ?? tokens[0]) && <a href="/console/tokens">{words('tokens.all')}</a>}
    </Rows>
  );
}
