import type { ComponentChildren } from 'preact';
import styles from './items.module.css';

/** A list of things that the account has: sessions, passkeys, content. */
export function Items({ children }: { children: ComponentChildren }) {
  return <ul class={styles['list']}>{children}</ul>;
}

interface ItemProps {
  icon?: ComponentChildren;
  /** The name of the thing. */
  title: ComponentChildren;
  /** For buttons that refer to the name by `aria-describedby`. */
  titleId?: string;
  /** Facts about it, one line each. */
  facts: readonly ComponentChildren[];
  /** Its buttons. */
  children?: ComponentChildren;
}

/** One of several things, with its buttons. */
export function Item({ icon, title, titleId, facts, children }: ItemProps) {
  return (
    <li class={styles['item']}>
      {icon && <span class={styles['icon']}>{icon}</span>}
      <div class={styles['facts']}>
        <p class={styles['title']} id={titleId}>
          {title}
        </p>
        {facts.map((fact) => fact && <p class={styles['quiet']}>{fact}</p>)}
      </div>
      {children && <div class={styles['actions']}>{children}</div>}
    </li>
  );
}

/** An item that is being changed: its form. */
export function OpenItem({ children }: { children: ComponentChildren }) {
  return (
    <li class={styles['item']}>
      <div class={styles['facts']}>{children}</div>
    </li>
  );
}

/** A word about an item beside its name, for example that it is the present one. */
export function Mark({ children }: { children: ComponentChildren }) {
  return <span class={styles['mark']}>{children}</span>;
}
