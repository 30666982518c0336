import type { ComponentChildren } from 'preact';
import styles from './secondary-actions.module.css';

/** The less usual ways on from here, beneath a form: links and buttons that look like them. */
export function SecondaryActions({ children }: { children: ComponentChildren }) {
  return <div class={styles['actions']}>{children}</div>;
}
