import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { Checkbox } from '../../ui/form/checkbox.tsx';
import { Field } from '../../ui/form/field.tsx';
import { Form, type FieldValues } from '../../ui/form/form.tsx';
import { PasswordField } from '../../ui/form/password-field.tsx';
import { Select } from '../../ui/form/select.tsx';
import type { Input } from '../api/call-api.ts';
import { useConsole } from '../api/console-context.ts';
import { useRefresh } from '../api/use-query.ts';
import { useWords, useWordsFor } from '../text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { LanguageSelect } from '../ui/language-select.tsx';
import { ListField } from '../ui/list-field.tsx';
import { labelsIn } from '../ui/list-in.ts';

type Wanted = NonNullable<Input<'POST /admin/account'>['body']>;

/** Creates an account, and opens its screen. */
export function CreateDialog({ onClose }: { onClose: () => void }) {
  const words = useWords();
  const wordsFor = useWordsFor();
  const { callApi, toast } = useConsole();
  const { route } = useLocation();
  const refresh = useRefresh();
  const [hasPassword, setHasPassword] = useState(false);
  return (
    <Dialog title={words('accounts.create')} onClose={onClose}>
      <Form
        submit={words('accounts.create')}
        explanations={{ email_taken: 'problem.email_taken' }}
        onSubmit={async (values) => {
          const result = await callApi('POST /admin/account', { body: wantedOf(values) });
          if (!result.ok) return result.problem;
          toast(words(values.Invite === undefined ? 'accounts.created.done' : 'accounts.created.invited'));
          onClose();
          route(`/console/accounts/${result.value.Id}`);
          await refresh('GET /admin/account', 'GET /admin/statistics/now');
          return undefined;
        }}
      >
        <Field name="Email" type="email" label={words('accounts.email')} autocomplete="off" required />
        <Field name="DisplayName" label={words('accounts.name')} autocomplete="off" />
        <Select
          name="Role"
          label={words('accounts.role')}
          defaultValue="User"
          options={(['User', 'Admin'] as const).map((value) => ({ value, words: wordsFor('role', value) }))}
        />
        <ListField name="Groups" label={words('accounts.groups')} hint={words('accounts.groups.hint')} />
        <LanguageSelect label={words('accounts.language')} />
        <Select
          name="Start"
          label={words('accounts.start')}
          defaultValue="owner"
          options={(['owner', 'migrated', 'password', 'service'] as const).map((value) => ({
            value,
            words: words(`accounts.start.${value}`),
          }))}
          onChange={(start) => setHasPassword(start === 'password' || start === 'service')}
        />
        {!hasPassword && (
          <Checkbox name="Invite" checked>
            {words('accounts.invite')}
          </Checkbox>
        )}
        {hasPassword && <PasswordField name="Password" label={words('field.password')} purpose="new" />}
      </Form>
    </Dialog>
  );
}

function wantedOf({
  Email = '',
  DisplayName = '',
  Role,
  Groups = '',
  Locale,
  Start,
  Invite,
  Password,
}: FieldValues): Wanted {
  return {
    Email: Email.trim(),
    Role: Role === 'Admin' ? 'Admin' : 'User',
    ...(DisplayName.trim() !== '' && { DisplayName: DisplayName.trim() }),
    ...(Groups.trim() !== '' && { Groups: labelsIn(Groups) }),
    ...(Locale && { Locale }),
    ...(Start === 'migrated' && { IsMigrated: true }),
    ...(Invite !== undefined && { Invite: true }),
    ...(Password !== undefined && { Password }),
    ...(Start === 'service' && { IsService: true }),
  };
}
