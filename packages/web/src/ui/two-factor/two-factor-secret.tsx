import { useText } from '../locale/locale.ts';
import { QrCode } from './qr-code.tsx';
import { CopyButton } from './copy-button.tsx';
import styles from './two-factor-secret.module.css';

/** The secret of an authenticator app: as a QR code, as a link for the phone itself, and as text in groups of four. */
export function TwoFactorSecret({ secret, uri }: { secret: string; uri: string }) {
  const text = useText();
  return (
    <div class={styles['secret']}>
      <QrCode value={uri} label={text('setUp.qr')} />
      <p>
        <a class={styles['app']} href={uri}>
          {text('setUp.open')}
        </a>
      </p>
      <p class={styles['by-hand']}>{text('setUp.byHand')}</p>
      <code class={styles['groups']}>{secret.replaceAll(/.{4}(?=.)/g, '$& ')}</code>
      <CopyButton value={secret}>{text('setUp.copy')}</CopyButton>
    </div>
  );
}
