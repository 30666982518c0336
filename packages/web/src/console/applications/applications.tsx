import { useState } from 'preact/hooks';
import { deviceName } from '../../ui/device-name.ts';
import { Checkbox, Field, Select } from '../../ui/fields.tsx';
import type { FieldValues } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { CopyButton } from '../../ui/two-factor.tsx';
import { type Answer, type Input, useQuery } from '../api/call-api.ts';
import { Acts, actsOn, defineScreen } from '../kit/act.tsx';
import { check, type FormField, list, text } from '../kit/fields.tsx';
import { defineList, List } from '../kit/list.tsx';
import { words } from '../text.ts';
import { overlap } from '../tokens/tokens.tsx';
import { Card } from '../ui/screen-page.tsx';
import { labelsIn, listIn } from '../ui/typed.ts';
import { ago, at, Badge, changesOf, Copy, None, whether } from '../ui/values.tsx';
import styles from './applications.module.css';
import { callbackAt, type Preset, presetIn, presetOf, PRESETS, productOf, settingsFor } from './presets.ts';

type Application = Answer<'GET /admin/oauth-client/{id}'>;
type SignedIn = Answer<'GET /admin/oauth-client/{id}/session'>['Items'][number];

const act = actsOn<Application>();
const ofApplication = ({ Id }: Application) => ({ path: { id: Id } });

const EDIT_FIELDS = [
  text('Name', { label: 'applications.name' }),
  list('RedirectUris', {
    label: 'applications.redirectUris',
    hint: 'applications.redirectUris.hint',
    separator: ' ',
  }),
  list('PostLogoutRedirectUris', {
    label: 'applications.logoutUris',
    hint: 'applications.logoutUris.hint',
    separator: ' ',
  }),
  text('BackchannelLogoutUri', {
    label: 'applications.backchannel',
    hint: 'applications.backchannel.hint',
    empty: null,
  }),
  list('Groups', { label: 'applications.groups', hint: 'applications.groups.hint', isSpaced: true }),
  {
    ...check('Roles', {
      label: 'applications.guests.choose',
      initial: ({ Roles: roles }: Application) => roles.includes('Guest'),
    }),
    read: (typed: string | undefined, { Roles: roles }: Application): Application['Roles'] => {
      const others = roles.filter((role) => role !== 'Guest');
      return typed === undefined ? others : [...others, 'Guest'];
    },
  },
  check('IsTrusted', { label: 'applications.trusted.choose' }),
  {
    ...check('Grants', {
      label: 'applications.own.choose',
      initial: ({ Grants }: Application) => Grants === 'own',
    }),
    read: (typed: string | undefined): Application['Grants'] => (typed === undefined ? 'session' : 'own'),
  },
  check('RequiresPkce', { label: 'applications.pkce', if: ({ IsPublic }: Application) => !IsPublic }),
  check('RequiresNonce', { label: 'applications.nonce', if: ({ IsPublic }: Application) => !IsPublic }),
  check('AnyLocalhostPort', { label: 'applications.anyPort', if: ({ IsPublic }: Application) => IsPublic }),
] as const;

const EDIT = act({
  label: 'applications.edit',
  button: 'button',
  if: ({ IsDeclared }) => !IsDeclared,
  fields: EDIT_FIELDS,
  run: (callApi, application, body) =>
    callApi('PATCH /admin/oauth-client/{id}', {
      ...ofApplication(application),
      // What a public application always needs is not asked.
      body: { ...body, ...(application.IsPublic && { RequiresPkce: true, RequiresNonce: true }) },
    }),
  undo: 'fields',
});

const ROTATE = act({
  label: 'applications.rotate',
  button: 'button',
  if: ({ IsDeclared, IsPublic }) => !IsDeclared && !IsPublic,
  fields: [overlap('applications.overlap')],
  run: (callApi, application, body) =>
    callApi('POST /admin/oauth-client/{id}/rotate', { ...ofApplication(application), body }),
  secret: ({ Secret = '' }, application) => secretOnce(application, Secret),
});

const DELETE = act({
  label: 'applications.delete',
  button: 'button',
  kind: 'danger',
  if: ({ IsDeclared }) => !IsDeclared,
  typed: ({ Name }) => Name,
  run: (callApi, application) => callApi('DELETE /admin/oauth-client/{id}', ofApplication(application)),
  next: () => '/console/applications',
});

const SIGN_OUT = actsOn<{ application: Application; session: SignedIn }>()({
  label: 'applications.signOut',
  kind: 'danger',
  values: ({ application, session }) => ({ name: application.Name, email: session.Email }),
  run: (callApi, { application, session }) =>
    callApi('DELETE /admin/oauth-client/{id}/session/{sessionId}', {
      path: { id: application.Id, sessionId: session.Id },
    }),
});

function SignedInList({ application }: { application: Application }) {
  return (
    <List
      operation="GET /admin/oauth-client/{id}/session"
      path={{ id: application.Id }}
      caption="applications.signedIn"
      none="applications.signedIn.none"
      columns={[
        [
          'applications.who',
          ({ UserId, Email }) => <a href={`/console/accounts/${UserId}`}>{Email}</a>,
          'clipped',
        ],
        [
          'applications.session',
          ({ UserId, SessionId, IsOwn }) =>
            IsOwn ? (
              <a href={`/console/accounts/${UserId}/grants`}>{words('grants.title')}</a>
            ) : (
              <a href={`/console/sessions/${SessionId}`}>{words('applications.session.open')}</a>
            ),
        ],
        ['sessions.device', deviceName, 'clipped'],
        ['sessions.address', ({ IpAddress }) => IpAddress],
        ago('applications.since', 'CreatedAt'),
        ago('applications.seen', 'LastSeenAt'),
        [
          'tokens.do',
          (session) => (
            <Acts
              acts={[SIGN_OUT]}
              row={{ application, session }}
              menu={words('tokens.menu', { name: session.Email })}
            />
          ),
          'pinned',
        ],
      ]}
    />
  );
}

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
  one: 'applications.one',
  title: ({ Name }) => Name,
  notice: ({ IsDeclared }) =>
    IsDeclared && <Notice meaning="information">{words('applications.declared.lead')}</Notice>,
  factsTitle: 'applications.facts',
  facts: ({ PreviousSecretExpiresAt: overlaps }) => [
    ['applications.id', ({ Id }) => <Copy value={Id} label="client_id" whole />],
    ['applications.kind', kindOf],
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
      <SignedInList application={application} />
    </>
  ),
  all: ['applications', 'applications.all'],
});

function kindOf({ IsPublic }: Application): string {
  return words(IsPublic ? 'applications.kind.public' : 'applications.kind.secret');
}

function rolesOf({ Roles: roles }: Application): string {
  return roles.map((role) => words(`role.${role}`)).join(', ');
}

export const ApplicationsScreen = defineList({
  operation: 'GET /admin/oauth-client',
  caption: 'c.applications.title',
  none: 'applications.none',
  columns: [
    ['applications.name', ({ Id, Name }) => <a href={`/console/applications/${Id}`}>{Name}</a>, 'clipped'],
    ['applications.id', ({ Id }) => <Copy value={Id} label="client_id" />],
    [
      'applications.kind',
      (application) => (
        <>
          {kindOf(application)}{' '}
          {application.IsDeclared && <Badge meaning="neutral">{words('applications.declared')}</Badge>}
        </>
      ),
    ],
    [
      'applications.who.may',
      (application) => application.Groups.join(', ') || rolesOf(application),
      'clipped',
    ],
    ago('applications.created', 'CreatedAt'),
  ],
  actions: () => <Acts acts={[CREATE]} row={undefined} />,
});

interface PresetSelectProps {
  preset: Preset;
  onChange: (preset: Preset) => void;
}

function PresetSelect({ preset, onChange }: PresetSelectProps) {
  return (
    <Select
      name="Preset"
      label={words('applications.preset')}
      defaultValue={preset}
      options={PRESETS.map((value) => ({
        value,
        words: productOf(value)?.name ?? words('applications.preset.custom'),
      }))}
      onChange={(value) => onChange(presetIn(value))}
    />
  );
}

interface SettingsBlockProps {
  application: Application;
  secret?: string;
}

/** The settings to paste in the application, with the addresses of this installation. */
function SettingsBlock({ application, secret }: SettingsBlockProps) {
  const { RedirectUris, Id, IsPublic } = application;
  const [preset, setPreset] = useState(presetOf(RedirectUris));
  const { data } = useQuery('GET /admin/system');
  if (data === undefined) return null;
  const values = new Map(data.Settings.map(({ Name, Value }) => [Name, Value]));
  const issuer = String(values.get('ISSUER') ?? '');
  const settings = settingsFor(preset, {
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
      <pre
        class={styles['settings']}
        tabIndex={0}
        role="region"
        aria-label={words('applications.settings.text')}
      >
        {settings}
      </pre>
      <div>
        <CopyButton value={settings}>{words('applications.settings.copy')}</CopyButton>
      </div>
    </>
  );
}

/** How the secret of an application is shown: once, with the settings that contain it. */
function secretOnce(application: Application, secret: string) {
  return {
    secret,
    title: 'applications.secret.once',
    label: 'applications.secret',
    copy: 'applications.secret.copy',
    below: <SettingsBlock application={application} secret={secret} />,
  } as const;
}

/** The product, and what is asked of an application of it. */
const PRESET: FormField<undefined, 'Preset', Wanted> = {
  name: 'Preset',
  initial: () => 'grafana',
  Show: ({ initial }) => {
    const [preset, setPreset] = useState(presetIn(initial));
    return (
      <>
        <PresetSelect preset={preset} onChange={setPreset} />
        <PresetFields preset={preset} />
      </>
    );
  },
  read: (preset, _, typed) => wantedOf(presetIn(preset), typed),
};

const CREATE = actsOn<undefined>()({
  label: 'applications.create',
  button: 'create',
  kind: 'primary',
  fields: [PRESET],
  run: (callApi, _, { Preset: body }) => callApi('POST /admin/oauth-client', { body }),
  secret: (created) => (created.Secret === undefined ? undefined : secretOnce(created, created.Secret)),
  next: ({ Id }) => `/console/applications/${Id}`,
});

function PresetFields({ preset }: { preset: Preset }) {
  const product = productOf(preset);
  return (
    <>
      <Field
        key={preset}
        name="Name"
        label={words('applications.name')}
        hint={words('applications.name.hint')}
        autocomplete="off"
        defaultValue={product?.name ?? ''}
        required
      />
      <Field
        name="RedirectUris"
        label={words(product ? 'applications.address' : 'applications.redirectUris')}
        hint={words(product ? 'applications.address.hint' : 'applications.redirectUris.hint')}
        autocomplete="off"
        spellcheck={false}
        required
      />
      <Field
        name="Groups"
        label={words('applications.groups')}
        hint={words('applications.groups.hint')}
        autocomplete="off"
        spellcheck={false}
      />
      {product === undefined && <Checkbox name="IsPublic">{words('applications.public.choose')}</Checkbox>}
      <Checkbox name="IsTrusted">{words('applications.trusted.choose')}</Checkbox>
    </>
  );
}

type Wanted = NonNullable<Input<'POST /admin/oauth-client'>['body']>;

function wantedOf(preset: Preset, values: FieldValues): Wanted {
  const { Name = '', RedirectUris, Groups, IsPublic, IsTrusted } = values;
  return {
    Name: Name.trim(),
    RedirectUris: listIn(RedirectUris).map((address) => callbackAt(preset, address)),
    Scopes: ['openid', 'profile', 'email', 'groups', 'offline_access'],
    Groups: labelsIn(Groups),
    IsTrusted: IsTrusted !== undefined,
    ...(IsPublic !== undefined && { IsPublic: true }),
  };
}
