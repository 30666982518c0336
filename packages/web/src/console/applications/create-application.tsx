import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { Checkbox, Field, Select } from '../../ui/fields.tsx';
import { type FieldValues, Form } from '../../ui/form.tsx';
import { CopyButton } from '../../ui/two-factor.tsx';
import { type Answer, type Input, useConsole } from '../api/call-api.ts';
import { useQuery, useRefresh } from '../api/use-query.ts';
import { useWords } from '../text.ts';
import { Dialog, SecretDialog } from '../ui/dialog.tsx';
import { labelsIn, listIn } from '../ui/typed.ts';
import styles from './applications.module.css';
import { callbackAt, type Preset, presetIn, presetOf, PRESETS, productOf, settingsFor } from './presets.ts';

type Application = Answer<'GET /admin/oauth-client/{id}'>;

interface PresetSelectProps {
  preset: Preset;
  onChange: (preset: Preset) => void;
}

function PresetSelect({ preset, onChange }: PresetSelectProps) {
  const words = useWords();
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
  const words = useWords();
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

export function CreateDialog({ onClose }: { onClose: () => void }) {
  const words = useWords();
  const { callApi } = useConsole();
  const { route } = useLocation();
  const refresh = useRefresh();
  const [preset, setPreset] = useState<Preset>('grafana');
  const [created, setCreated] = useState<Answer<'POST /admin/oauth-client'>>();
  const finish = (id: string): void => {
    onClose();
    route(`/console/applications/${id}`);
  };
  if (created?.Secret !== undefined) {
    const { secret, title, label, copy, below } = secretOnce(created, created.Secret);
    return (
      <SecretDialog
        secret={secret}
        title={words(title)}
        label={words(label)}
        copy={words(copy)}
        onClose={() => finish(created.Id)}
      >
        {below}
      </SecretDialog>
    );
  }
  return (
    <Dialog title={words('applications.create')} onClose={onClose}>
      <Form
        submit={words('applications.create')}
        onSubmit={async (values) => {
          const result = await callApi('POST /admin/oauth-client', { body: wantedOf(preset, values) });
          if (!result.ok) return result.problem;
          await refresh('GET /admin/oauth-client');
          if (result.value.Secret === undefined) finish(result.value.Id);
          else setCreated(result.value);
          return undefined;
        }}
      >
        <PresetSelect preset={preset} onChange={setPreset} />
        <PresetFields preset={preset} />
      </Form>
    </Dialog>
  );
}

function PresetFields({ preset }: { preset: Preset }) {
  const words = useWords();
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
      <ListField
        name="RedirectUris"
        label={words(product ? 'applications.address' : 'applications.redirectUris')}
        hint={words(product ? 'applications.address.hint' : 'applications.redirectUris.hint')}
        required
      />
      <ListField
        name="Groups"
        label={words('applications.groups')}
        hint={words('applications.groups.hint')}
      />
      {product === undefined && <Checkbox name="IsPublic">{words('applications.public.choose')}</Checkbox>}
      <Checkbox name="IsTrusted">{words('applications.trusted.choose')}</Checkbox>
    </>
  );
}

function wantedOf(
  preset: Preset,
  values: FieldValues,
): NonNullable<Input<'POST /admin/oauth-client'>['body']> {
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

interface ListFieldProps {
  name: string;
  label: string;
  hint: string;
  values?: readonly string[];
  /** Between the values; `listIn` reads both. */
  separator?: ', ' | ' ';
  required?: boolean;
}

function ListField({ values = [], separator = ', ', ...field }: ListFieldProps) {
  return <Field {...field} autocomplete="off" spellcheck={false} defaultValue={values.join(separator)} />;
}
