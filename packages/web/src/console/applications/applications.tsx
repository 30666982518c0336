import { useState } from 'preact/hooks';
import { deviceName } from '../../ui/device-name.ts';
import { Checkbox, Select } from '../../ui/fields.tsx';
import { Notice } from '../../ui/notice.tsx';
import { CopyButton } from '../../ui/two-factor.tsx';
import { type Answer, type Input, useQuery } from '../api/call-api.ts';
import { actsOn, calls, creates, defineScreen, menuOf, sends } from '../kit/act.tsx';
import { check, type FormField, list, text, TextField } from '../kit/fields.tsx';
import { defineList, List } from '../kit/list.tsx';
import { words } from '../text.ts';
import { overlap } from '../tokens/tokens.tsx';
import { Card } from '../ui/screen-page.tsx';
import { labelsIn, listIn } from '../ui/typed.ts';
import { ago, at, Badge, changesOf, Copy, linkTo, None, Preformatted, whether } from '../ui/values.tsx';
import styles from './applications.module.css';
import { callbackAt, type Preset, presetIn, presetOf, PRESETS, PRODUCTS, SETTINGS_FOR } from './presets.ts';

type Application = Answer<'GET /admin/oauth-client/{id}'>;
type SignedIn = Answer<'GET /admin/oauth-client/{id}/session'>['Items'][number];

const act = actsOn<Application>();
const isOpen = ({ IsDeclared }: Application) => !IsDeclared;
const isSecret = ({ IsPublic }: Application) => !IsPublic;

const EDIT = act({
  label: 'applications.edit',
  button: 'button',
  if: isOpen,
  fields: [
    text('Name', 'field.name'),
    list('RedirectUris', 'applications.redirectUris', { separator: ' ' }),
    list('PostLogoutRedirectUris', 'applications.logoutUris', { separator: ' ' }),
    text('BackchannelLogoutUri', 'applications.backchannel', { empty: null }),
    list('Groups', 'applications.groups', { isSpaced: true }),
    {
      ...check('Roles', 'applications.guests.choose', {
        initial: ({ Roles: roles }: Application) => roles.includes('Guest'),
      }),
      read: (typed: string | undefined, { Roles: roles }: Application): Application['Roles'] => {
        const others = roles.filter((role) => role !== 'Guest');
        return typed === undefined ? others : [...others, 'Guest'];
      },
    },
    check('IsTrusted', 'applications.trusted.choose'),
    {
      ...check('Grants', 'applications.own.choose', {
        initial: ({ Grants }: Application) => Grants === 'own',
      }),
      read: (typed: string | undefined): Application['Grants'] => (typed === undefined ? 'session' : 'own'),
    },
    check('RequiresPkce', 'applications.pkce', { if: isSecret }),
    check('RequiresNonce', 'applications.nonce', { if: isSecret }),
    check('AnyLocalhostPort', 'applications.anyPort', { if: ({ IsPublic }) => IsPublic }),
  ],
  run: (callApi, application, body) =>
    sends('PATCH /admin/oauth-client/{id}')(callApi, application, {
      ...body,
      // What a public application always needs is not asked.
      ...(application.IsPublic && { RequiresPkce: true, RequiresNonce: true }),
    }),
  undo: 'fields',
});

const ROTATE = act({
  label: 'applications.rotate',
  button: 'button',
  if: (application) => isOpen(application) && isSecret(application),
  fields: [overlap('applications.overlap')],
  run: sends('POST /admin/oauth-client/{id}/rotate'),
  secret: ({ Secret = '' }: { Secret?: string }, application) => secretOnce(application, Secret),
});

const DELETE = act({
  label: 'applications.delete',
  button: 'button',
  kind: 'danger',
  if: isOpen,
  typed: ({ Name }) => Name,
  run: calls('DELETE /admin/oauth-client/{id}'),
  next: () => '/console/applications',
});

const SIGN_OUT = actsOn<{ application: Application; session: SignedIn }>()({
  label: 'applications.signOut',
  kind: 'danger',
  values: ({ application, session }) => ({ name: application.Name, email: session.Email }),
  run: (callApi, { application: { Id: id }, session }) =>
    callApi('DELETE /admin/oauth-client/{id}/session/{sessionId}', { path: { id, sessionId: session.Id } }),
});

function Uris({ uris }: { uris: readonly string[] }) {
  if (uris.length === 0) return <None />;
  return (
    <ul class={styles['uris']}>
      {uris.map((uri) => (
        <li key={uri}>{uri}</li>
      ))}
    </ul>
  );
}

/** Where it is told of ended sessions, and what it was told. */
function Logouts({ application: { Id, BackchannelLogoutUri: uri } }: { application: Application }) {
  if (uri === null) return <None />;
  return (
    <>
      {uri}
      <br />
      <a href={`/console/webhooks/deliveries?clientId=${Id}`}>{words('applications.logouts')}</a>
    </>
  );
}

export const ApplicationScreen = defineScreen({
  operation: 'GET /admin/oauth-client/{id}',
  texts: 'applications',
  notice: ({ IsDeclared }) =>
    IsDeclared && <Notice meaning="information">{words('applications.declared.lead')}</Notice>,
  facts: ({ PreviousSecretExpiresAt: overlaps }) => [
    ['applications.id', ({ Id }) => <Copy value={Id} label="client_id" whole />],
    ['fact.kind', kindOf],
    ['applications.roles', rolesOf],
    ['applications.groups', ({ Groups }) => Groups.join(', ') || words('applications.groups.all')],
    whether('applications.trusted', 'IsTrusted'),
    ['applications.own', ({ Grants }) => words(Grants === 'own' ? 'yes' : 'no')],
    ['applications.redirectUris', ({ RedirectUris }) => <Uris uris={RedirectUris} />],
    ['applications.logoutUris', ({ PostLogoutRedirectUris: uris }) => <Uris uris={uris} />],
    ['applications.backchannel', (application) => <Logouts application={application} />],
    ['applications.scopes', ({ Scopes }) => Scopes.join(', ')],
    ['applications.grants', ({ GrantTypes }) => GrantTypes.join(', ') || null],
    ['applications.resources', ({ Resources }) => Resources.join(', ') || null],
    whether('applications.pkce', 'RequiresPkce'),
    whether('applications.nonce', 'RequiresNonce'),
    whether('applications.anyPort', 'AnyLocalhostPort'),
    ['applications.alg', ({ IdTokenAlg }) => IdTokenAlg],
    ['sessions.tag', ({ SessionTag }) => SessionTag],
    overlaps !== null && at('applications.overlap', 'PreviousSecretExpiresAt'),
    at('applications.created', 'CreatedAt'),
    changesOf('applications.changes'),
  ],
  acts: [EDIT, ROTATE, DELETE],
  more: (application) => (
    <>
      <Card title={words('applications.settings')}>
        <SettingsBlock key={application.Id} application={application} />
      </Card>
      <h2>{words('applications.signedIn')}</h2>
      <List
        operation="GET /admin/oauth-client/{id}/session"
        path={{ id: application.Id }}
        caption="applications.signedIn"
        none="applications.signedIn.none"
        columns={[
          linkTo('account.one', 'accounts', 'UserId', 'Email'),
          [
            'sessions.one',
            ({ UserId, SessionId, IsOwn }) =>
              IsOwn ? (
                <a href={`/console/accounts/${UserId}/grants`}>{words('grants.title')}</a>
              ) : (
                <a href={`/console/sessions/${SessionId}`}>{words('applications.session.open')}</a>
              ),
          ],
          ['sessions.device', deviceName, 'clipped'],
          ['audit.ip', ({ IpAddress }) => IpAddress],
          ago('fact.since', 'CreatedAt'),
          ago('applications.seen', 'LastSeenAt'),
          menuOf([SIGN_OUT], 'Email', (session: SignedIn) => ({ application, session })),
        ]}
      />
    </>
  ),
});

function kindOf({ IsPublic }: Application): string {
  return words(IsPublic ? 'applications.kind.public' : 'applications.kind.secret');
}

function rolesOf({ Roles: roles }: Application): string {
  return roles.map((role) => words(`role.${role}`)).join(', ');
}

function PresetSelect({ preset, onChange }: { preset: Preset; onChange: (preset: Preset) => void }) {
  return (
    <Select
      name="Preset"
      label={words('applications.preset')}
      defaultValue={preset}
      options={PRESETS.map((value) => ({
        value,
        words: PRODUCTS[value]?.name ?? words('applications.preset.custom'),
      }))}
      onChange={(value) => onChange(presetIn(value))}
    />
  );
}

function SettingsBlock({ application, secret }: { application: Application; secret?: string }) {
  const { RedirectUris, Id, IsPublic } = application;
  const [preset, setPreset] = useState(presetOf(RedirectUris));
  const { data } = useQuery('GET /admin/system');
  if (data === undefined) return null;
  const values = new Map(data.Settings.map(({ Name, Value }) => [Name, Value]));
  const issuer = String(values.get('ISSUER') ?? '');
  const settings = SETTINGS_FOR[preset]({
    issuer,
    pagesUrl: String(values.get('PUBLIC_URL') ?? issuer),
    clientId: Id,
    secret: secret ?? words('applications.secret.placeholder'),
    redirectUri: RedirectUris[0] ?? '',
    isPublic: IsPublic,
  });
  return (
    <>
      <PresetSelect preset={preset} onChange={setPreset} />
      <Preformatted look="settings" label={words('applications.settings.text')} text={settings} />
      <div>
        <CopyButton value={settings}>{words('applications.settings.copy')}</CopyButton>
      </div>
    </>
  );
}

function secretOnce(application: Application, secret: string) {
  const below = <SettingsBlock application={application} secret={secret} />;
  return { secret, texts: 'applications.secret', below } as const;
}

const PRESET: FormField<undefined, 'Preset', NonNullable<Input<'POST /admin/oauth-client'>['body']>> = {
  name: 'Preset',
  initial: () => 'grafana',
  Show: ({ initial }) => {
    const [preset, setPreset] = useState(presetIn(initial));
    const name = PRODUCTS[preset]?.name;
    return (
      <>
        <PresetSelect preset={preset} onChange={setPreset} />
        <TextField key={preset} name="Name" label="applications.new.name" defaultValue={name} required />
        <TextField
          name="RedirectUris"
          label={name ? 'applications.address' : 'applications.redirectUris'}
          spellcheck={false}
          required
        />
        <TextField name="Groups" label="applications.groups" spellcheck={false} />
        {name === undefined && <Checkbox name="IsPublic">{words('applications.public.choose')}</Checkbox>}
        <Checkbox name="IsTrusted">{words('applications.trusted.choose')}</Checkbox>
      </>
    );
  },
  read: (preset, _, { Name = '', RedirectUris, Groups, IsPublic, IsTrusted }) => ({
    Name: Name.trim(),
    RedirectUris: listIn(RedirectUris).map((address) => callbackAt(presetIn(preset), address)),
    Scopes: ['openid', 'profile', 'email', 'groups', 'offline_access'],
    Groups: labelsIn(Groups),
    IsTrusted: IsTrusted !== undefined,
    ...(IsPublic !== undefined && { IsPublic: true }),
  }),
};

const CREATE = creates({
  label: 'applications.create',
  fields: [PRESET],
  run: (callApi, _, { Preset: body }) => callApi('POST /admin/oauth-client', { body }),
  secret: (created) => (created.Secret === undefined ? undefined : secretOnce(created, created.Secret)),
  next: ({ Id }) => `/console/applications/${Id}`,
});

export const ApplicationsScreen = defineList({
  operation: 'GET /admin/oauth-client',
  caption: 'c.applications.title',
  none: 'applications.none',
  columns: [
    linkTo('field.name', 'applications', 'Id', 'Name'),
    ['applications.id', ({ Id }) => <Copy value={Id} label="client_id" />],
    [
      'fact.kind',
      (application) => (
        <>
          {kindOf(application)}{' '}
          {application.IsDeclared && <Badge meaning="neutral">{words('applications.declared')}</Badge>}
        </>
      ),
    ],
    ['applications.who.may', (one) => one.Groups.join(', ') || rolesOf(one), 'clipped'],
    ago('applications.created', 'CreatedAt'),
  ],
  acts: [CREATE],
});
