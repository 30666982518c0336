import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import type { Answer } from '../api/call-api.ts';
import { useConsole } from '../api/console-context.ts';
import { useRefresh } from '../api/use-query.ts';
import { useWords } from '../text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { WebhookSecret } from './webhook-secret.tsx';
import { SHOWING_WEBHOOKS } from './webhook.ts';
import { WebhookForm } from './webhook-form.tsx';

/** Creates a webhook, shows its secret once, and opens its screen. */
export function CreateDialog({ onClose }: { onClose: () => void }) {
  const words = useWords();
  const { callApi } = useConsole();
  const { route } = useLocation();
  const refresh = useRefresh();
  const [created, setCreated] = useState<Answer<'POST /admin/webhook'>>();
  if (created !== undefined)
    return (
      <WebhookSecret
        secret={created.Secret}
        onClose={() => {
          onClose();
          route(`/console/webhooks/${created.Id}`);
        }}
      />
    );
  return (
    <Dialog title={words('webhooks.create')} onClose={onClose}>
      <WebhookForm
        submit={words('webhooks.create')}
        onSubmit={async (body) => {
          const result = await callApi('POST /admin/webhook', { body });
          if (!result.ok) return result.problem;
          setCreated(result.value);
          await refresh(...SHOWING_WEBHOOKS);
          return undefined;
        }}
      />
    </Dialog>
  );
}
