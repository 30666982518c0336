import { useState } from 'preact/hooks';
import { CopyButton } from '../../ui/two-factor/copy-button.tsx';
import { useQuery } from '../api/use-query.ts';
import { useWords } from '../text.ts';
import type { Application } from './application.ts';
import { PresetSelect } from './preset-select.tsx';
import { presetOf } from './presets.ts';
import { settingsFor } from './settings-for.ts';
import styles from './applications.module.css';

/** The settings to paste in the application, with the addresses of this installation. */
export function SettingsBlock({
  application,
  secret,
}: {
  application: Application;
  secret?: string | undefined;
}) {
  const words = useWords();
  const { RedirectUris, Id, IsPublic } = application;
  const [preset, setPreset] = useState(presetOf(RedirectUris));
  const { data } = useQuery('GET /admin/system');
  if (data === undefined) return null;
  const values = new Map(data.Settings.map(({ Name, Value }) => [Name, Value]));
  const issuer = String(values.get('ISSUER') ?? '');
  const text = settingsFor(preset, {
    issuer,
    pagesUrl: String(values.get('PUBLIC_URL') ?? issuer),
    clientId: Id,
    secret: secret ?? words('applications.secret.placeholder'),
    redirectUri: RedirectUris[0] ?? '',
    isPublic: IsPublic,
  });
  return (
    <>
      <PresetSelect preset={preset} onChange={setPreset} />
      <pre
        class={styles['settings']}
        tabIndex={0}
        role="region"
        aria-label={words('applications.settings.text')}
      >
        {text}
      </pre>
      <div>
        <CopyButton value={text}>{words('applications.settings.copy')}</CopyButton>
      </div>
    </>
  );
}
