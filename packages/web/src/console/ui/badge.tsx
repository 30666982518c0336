import type { ComponentChildren } from 'preact';
import styles from './badge.module.css';
import { Icon, type IconName } from './icon.tsx';

export type Meaning = 'success' | 'warning' | 'danger' | 'information' | 'neutral';

const ICONS: Record<Meaning, IconName> = {
  success: 'check',
  warning: 'warning',
  danger: 'ban',
  information: 'info',
  neutral: 'clock',
};

/** A state as a word; the colour only repeats its meaning. */
export function Badge({ meaning, children }: { meaning: Meaning; children: ComponentChildren }) {
  return (
    <span class={[styles['badge'], styles[meaning]].join(' ')}>
      <Icon name={ICONS[meaning]} />
      {children}
    </span>
  );
}
