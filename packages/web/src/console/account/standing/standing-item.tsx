import type { ComponentChildren } from 'preact';
import { Icon } from '../../ui/icon.tsx';
import styles from './standing.module.css';

interface StandingItemProps {
  meaning: 'success' | 'danger' | 'warning';
  title: string;
  /** Tells the administrator what to do. */
  advice: string;
  /** Known details: since when, and who caused it. */
  facts?: ComponentChildren;
  action?: ComponentChildren;
}

const ICONS = { success: 'check', danger: 'ban', warning: 'clock' } as const;

/** One reason why a login is not possible, or the statement that it is possible. */
export function StandingItem({ meaning, title, advice, facts, action }: StandingItemProps) {
  return (
    <li class={[styles['item'], styles[meaning]].join(' ')}>
      <Icon name={ICONS[meaning]} size={20} />
      <div class={styles['words']}>
        <p class={styles['title']}>{title}</p>
        <p>{advice}</p>
        {facts && <p class="quiet">{facts}</p>}
      </div>
      {action}
    </li>
  );
}
