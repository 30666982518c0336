import type { Problem } from '../../ui/api/api.ts';
import { Field } from '../../ui/form/field.tsx';
import { Form } from '../../ui/form/form.tsx';
import type { Input } from '../api/call-api.ts';
import { useWords } from '../text.ts';
import { ListField } from '../ui/list-field.tsx';
import { listIn } from '../ui/list-in.ts';
import type { Webhook } from './webhook.ts';

type Wanted = NonNullable<Input<'POST /admin/webhook'>['body']>;

interface WebhookFormProps {
  webhook?: Webhook;
  submit: string;
  onSubmit: (wanted: Wanted) => Promise<Problem | undefined>;
}

/** The name of a webhook, where it posts to, and which events. */
export function WebhookForm({ webhook, submit, onSubmit }: WebhookFormProps) {
  const words = useWords();
  return (
    <Form
      submit={submit}
      onSubmit={({ Name = '', Url = '', Types }) =>
        // The API refuses names of events that do not exist.
        onSubmit({ Name: Name.trim(), Url: Url.trim(), Types: listIn(Types) as Wanted['Types'] })
      }
    >
      <Field
        name="Name"
        label={words('webhooks.name')}
        hint={words('webhooks.name.hint')}
        autocomplete="off"
        defaultValue={webhook?.Name ?? ''}
        required
      />
      <Field
        name="Url"
        label={words('webhooks.url')}
        hint={words('webhooks.url.hint')}
        autocomplete="off"
        spellcheck={false}
        defaultValue={webhook?.Url ?? ''}
        required
      />
      <ListField
        name="Types"
        label={words('webhooks.types')}
        hint={words('webhooks.types.hint')}
        values={webhook?.Types ?? ['*']}
        required
      />
    </Form>
  );
}
