import { useWords } from '../text.ts';
import { SecretDialog } from '../ui/secret-dialog.tsx';

/** Shows a token that is never shown again. */
export function NewTokenDialog({ token, onClose }: { token: string; onClose: () => void }) {
  const words = useWords();
  return (
    <SecretDialog
      secret={token}
      title={words('tokens.once.title')}
      label={words('tokens.token')}
      copy={words('tokens.copy')}
      onClose={onClose}
    />
  );
}
