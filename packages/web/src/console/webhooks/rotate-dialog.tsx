import { useState } from 'preact/hooks';
import { Form } from '../../ui/form/form.tsx';
import { useConsole } from '../api/console-context.ts';
import { useRefresh } from '../api/use-query.ts';
import { useWords } from '../text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { SHOWING_WEBHOOKS, type Webhook } from './webhook.ts';
import { WebhookSecret } from './webhook-secret.tsx';

/** Gives a webhook another secret, and shows it once. */
export function RotateDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const words = useWords();
  const { callApi } = useConsole();
  const refresh = useRefresh();
  const [secret, setSecret] = useState<string>();
  if (secret !== undefined) return <WebhookSecret secret={secret} onClose={onClose} />;
  return (
    <Dialog title={words('webhooks.rotate.title', { name: webhook.Name })} onClose={onClose}>
      <p>{words('webhooks.rotate.lead')}</p>
      <Form
        submit={words('webhooks.rotate')}
        onSubmit={async () => {
          const result = await callApi('POST /admin/webhook/{id}/rotate', { path: { id: webhook.Id } });
          if (!result.ok) return result.problem;
          setSecret(result.value.Secret);
          await refresh(...SHOWING_WEBHOOKS);
          return undefined;
        }}
      >
        {null}
      </Form>
    </Dialog>
  );
}
