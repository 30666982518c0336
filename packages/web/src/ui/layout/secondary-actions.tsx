import type { ComponentChildren } from 'preact';
import styles from './secondary-actions.module.css';

/** The less common actions below a form: links, and buttons that look like links. */
export function SecondaryActions({ children }: { children: ComponentChildren }) {
  return <div class={styles['actions']}>{children}</div>;
}
