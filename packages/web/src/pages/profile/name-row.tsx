import { useState } from 'preact/hooks';
import { call } from '../../ui/api/api.ts';
import { Field } from '../../ui/form/field.tsx';
import { Form } from '../../ui/form/form.tsx';
import { UserIcon } from '../../ui/icon.tsx';
import { Row } from '../../ui/layout/row.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { useSignedOut, type Profile } from '../account/own-account.ts';

/** The name that others see. */
export function NameRow({ profile, reload }: { profile: Profile; reload: () => Promise<void> }) {
  const text = useText();
  const leave = useSignedOut();
  const [isOpen, setOpen] = useState(false);
  const { DisplayName: present } = profile;
  return (
    <Row
      icon={<UserIcon />}
      title={text('field.name')}
      state={present ?? text('profile.name.none')}
      action={{ words: text('row.change'), onPress: () => setOpen(true) }}
      onCancel={() => setOpen(false)}
    >
      {isOpen && (
        <Form
          submit={text('profile.save')}
          busyWords={text('profile.saving')}
          onSubmit={async ({ DisplayName }) => {
            const result = await call('PUT', '/account/profile', { DisplayName });
            if (!result.ok) return leave(result.problem) ? undefined : result.problem;
            await reload();
            setOpen(false);
            return undefined;
          }}
        >
          <Field
            name="DisplayName"
            label={text('profile.name.label')}
            hint={text('profile.name.hint')}
            autocomplete="name"
            defaultValue={present ?? ''}
            required
          />
        </Form>
      )}
    </Row>
  );
}
