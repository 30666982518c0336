import { useState } from 'preact/hooks';
import { Field } from '../../ui/form/field.tsx';
import { Form, type FieldValues } from '../../ui/form/form.tsx';
import { Select } from '../../ui/form/select.tsx';
import type { Input } from '../api/call-api.ts';
import { useConsole } from '../api/console-context.ts';
import { useRefresh } from '../api/use-query.ts';
import { useWords, useWordsFor } from '../text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { listIn } from '../ui/list-in.ts';
import { NewTokenDialog } from './new-token-dialog.tsx';

type Wanted = NonNullable<Input<'POST /admin/api-token'>['body']>;

/** The fewest rights first. */
const ROLES = ['Feed', 'Service', 'Admin'] as const;
const DAYS = [30, 90, 365] as const;
const DAY_MS = 86_400_000;

/** Creates an API token, and shows it once. */
export function CreateDialog({ onClose }: { onClose: () => void }) {
  const words = useWords();
  const wordsFor = useWordsFor();
  const { callApi } = useConsole();
  const refresh = useRefresh();
  const [token, setToken] = useState<string>();
  if (token !== undefined) return <NewTokenDialog token={token} onClose={onClose} />;
  return (
    <Dialog title={words('tokens.create')} onClose={onClose}>
      <Form
        submit={words('tokens.create')}
        onSubmit={async (values) => {
          const result = await callApi('POST /admin/api-token', { body: wantedOf(values) });
          if (!result.ok) return result.problem;
          setToken(result.value.Token);
          await refresh('GET /admin/api-token');
          return undefined;
        }}
      >
        <Field
          name="Name"
          label={words('tokens.name')}
          hint={words('tokens.name.hint')}
          autocomplete="off"
          required
        />
        <Select
          name="Role"
          label={words('tokens.role')}
          defaultValue="Feed"
          options={ROLES.map((value) => ({
            value,
            words: `${wordsFor('role', value)}: ${words(`tokens.role.${value}`)}`,
          }))}
        />
        <Select
          name="ExpiresAt"
          label={words('tokens.expires')}
          defaultValue="90"
          options={[
            ...DAYS.map((days) => ({ value: String(days), words: words('tokens.days', { days }) })),
            { value: '', words: words('tokens.never') },
          ]}
        />
        <Field
          name="Networks"
          label={words('tokens.networks')}
          hint={words('tokens.networks.hint')}
          autocomplete="off"
          spellcheck={false}
        />
      </Form>
    </Dialog>
  );
}

function wantedOf({ Name = '', Role, ExpiresAt = '', Networks = '' }: FieldValues): Wanted {
  const networks = listIn(Networks);
  return {
    Name: Name.trim(),
    Role: ROLES.find((one) => one === Role) ?? 'Feed',
    ...(ExpiresAt !== '' && { ExpiresAt: new Date(Date.now() + Number(ExpiresAt) * DAY_MS).toISOString() }),
    ...(networks.length > 0 && { Networks: networks }),
  };
}
