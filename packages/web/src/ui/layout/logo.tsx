import { usePageData } from '../api/page-data.ts';
import styles from './logo.module.css';

/** A gate's arch with its door ajar, in a 24 by 24 viewBox. Mails show it as PNG (packages/mails/src/logo). */
export const ARCH = 'M4 22V10a8 8 0 0 1 16 0v12h-3V10a5 5 0 0 0-10 0v12zm5.5-1.5v-10a2.5 2.5 0 0 1 5 0v12z';

/** The installation's logo, or the drawn one if there is none. */
export function Logo() {
  const { Logo: light, LogoDark: dark = light } = usePageData();
  if (light === undefined) return <Arch />;
  return (
    <picture class={styles['logo']}>
      <source srcset={dark} media="(prefers-color-scheme: dark)" />
      <img src={light} alt="" height={32} />
    </picture>
  );
}

function Arch() {
  return (
    <svg
      class={styles['arch']}
      width="32"
      height="32"
      viewBox="0 0 24 24"
      aria-hidden="true"
      focusable="false"
    >
      <path fill="currentColor" d={ARCH} />
    </svg>
  );
}
