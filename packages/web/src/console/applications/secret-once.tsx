import { useWords } from '../text.ts';
import { SecretDialog } from '../ui/secret-dialog.tsx';
import type { Application } from './application.ts';
import { SettingsBlock } from './settings-block.tsx';

interface SecretOnceProps {
  application: Application;
  secret: string;
  onClose: () => void;
}

/** Shows the secret of an application, which is never shown again, with the settings that contain it. */
export function SecretOnce({ application, secret, onClose }: SecretOnceProps) {
  const words = useWords();
  return (
    <SecretDialog
      secret={secret}
      title={words('applications.secret.once')}
      label={words('applications.secret')}
      copy={words('applications.secret.copy')}
      onClose={onClose}
    >
      <SettingsBlock application={application} secret={secret} />
    </SecretDialog>
  );
}
