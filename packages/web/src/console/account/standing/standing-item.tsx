import type { ComponentChildren } from 'preact';
import { Icon } from '../../ui/icon.tsx';
import styles from './standing.module.css';

interface StandingItemProps {
  meaning: 'success' | 'danger' | 'warning';
  title: string;
  /** What to do about it. */
  advice: string;
  /** What is known of it: since when, because of whom. */
  facts?: ComponentChildren;
  action?: ComponentChildren;
}

const ICONS = { success: 'check', danger: 'ban', warning: 'clock' } as const;

/** One thing that stands in the way of a login, or that nothing does. */
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
