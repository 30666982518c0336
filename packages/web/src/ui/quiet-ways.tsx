import type { ComponentChildren } from 'preact';
import styles from './layout/secondary-actions.module.css';

/** The less usual ways on from here, beneath a form: links and buttons that look like them. */
export function QuietWays({ children }: { children: ComponentChildren }) {
  return <div class={styles['ways']}>{children}</div>;
}
