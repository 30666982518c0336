import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { Checkbox } from '../../ui/form/checkbox.tsx';
import { Field } from '../../ui/form/field.tsx';
import { Form, type FieldValues } from '../../ui/form/form.tsx';
import type { Answer, Input } from '../api/call-api.ts';
import { useConsole } from '../api/console-context.ts';
import { useRefresh } from '../api/use-query.ts';
import { useWords } from '../text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ListField } from '../ui/list-field.tsx';
import { labelsIn, listIn } from '../ui/list-in.ts';
import { PresetSelect } from './preset-select.tsx';
import { callbackAt, productOf, type Preset } from './presets.ts';
import { SecretOnce } from './secret-once.tsx';

type Wanted = NonNullable<Input<'POST /admin/oauth-client'>['body']>;

/** Registers an application, shows its secret once, and opens its screen. */
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
  if (created?.Secret !== undefined)
    return <SecretOnce application={created} secret={created.Secret} onClose={() => finish(created.Id)} />;
  const product = productOf(preset);
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
      </Form>
    </Dialog>
  );
}

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
