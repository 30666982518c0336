import type { ComponentChildren } from 'preact';
import { useText } from '../locale/locale.ts';
import styles from './or.module.css';

/** Stands between two ways to do the same: “or”, unless it says more. */
export function Or({ children }: { children?: ComponentChildren }) {
  const text = useText();
  return <p class={styles['or']}>{children ?? text('ways.or')}</p>;
}
