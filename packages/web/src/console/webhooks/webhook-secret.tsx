import { useWords } from '../text.ts';
import { SecretDialog } from '../ui/secret-dialog.tsx';

/** Shows the key of a webhook's signatures, which is never shown again. */
export function WebhookSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const words = useWords();
  return (
    <SecretDialog
      secret={secret}
      title={words('webhooks.secret.once')}
      label={words('webhooks.secret')}
      copy={words('webhooks.secret.copy')}
      onClose={onClose}
    >
      <p>{words('webhooks.secret.lead')}</p>
    </SecretDialog>
  );
}
