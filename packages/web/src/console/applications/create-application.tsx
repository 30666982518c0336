import { useState } from 'preact/hooks';
import { Checkbox, Field, Select } from '../../ui/fields.tsx';
import type { FieldValues } from '../../ui/form.tsx';
import { CopyButton } from '../../ui/two-factor.tsx';
import { type Answer, type Input, useQuery } from '../api/call-api.ts';
import { actsOn } from '../kit/act.tsx';
import type { FormField } from '../kit/fields.tsx';
import { words } from '../text.ts';
import { labelsIn, listIn } from '../ui/typed.ts';
import styles from './applications.module.css';
import { callbackAt, type Preset, presetIn, presetOf, PRESETS, productOf, settingsFor } from './presets.ts';

type Application = Answer<'GET /admin/oauth-client/{id}'>;

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
export function SettingsBlock({ application, secret }: SettingsBlockProps) {
  const { RedirectUris, Id, IsPublic } = application;
  const [preset, setPreset] = useState(presetOf(RedirectUris));
  const { data } = useQuery('GET /admin/system');
  if (data === undefined) return null;
  const values = new Map(data.Settings.map(({ Name, Value }) => [Name, Value]));
  const issuer = String(values.get('ISSUER') ?? '');
  const text = settingsFor(preset, {
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
        {text}
      </pre>
      <div>
        <CopyButton value={text}>{words('applications.settings.copy')}</CopyButton>
      </div>
    </>
  );
}

/** How the secret of an application is shown: once, with the settings that contain it. */
export function secretOnce(application: Application, secret: string) {
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

export const CREATE = actsOn<undefined>()({
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
