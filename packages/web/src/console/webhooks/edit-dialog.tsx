import { useConsole } from '../api/console-context.ts';
import { useRefresh } from '../api/use-query.ts';
import { useWords } from '../text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { SHOWING_WEBHOOKS, type Webhook } from './webhook.ts';
import { WebhookForm } from './webhook-form.tsx';

/** Changes the name of a webhook, where it posts to, and which events. */
export function EditDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const words = useWords();
  const { callApi, toast } = useConsole();
  const refresh = useRefresh();
  return (
    <Dialog title={words('webhooks.edit')} onClose={onClose}>
      <WebhookForm
        webhook={webhook}
        submit={words('webhooks.edit.submit')}
        onSubmit={async (body) => {
          const result = await callApi('PATCH /admin/webhook/{id}', { path: { id: webhook.Id }, body });
          if (!result.ok) return result.problem;
          toast(words('webhooks.changed'));
          onClose();
          await refresh(...SHOWING_WEBHOOKS);
          return undefined;
        }}
      />
    </Dialog>
  );
}
