import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { usePageData } from '../../../ui/api/page-data.ts';
import styles from './screen-page.module.css';

interface ScreenPageProps {
  title: string;
  /** A state, next to the title. */
  badge?: ComponentChildren;
  /** At the title's right. */
  actions?: ComponentChildren;
  /** Text stays readable; tables may take all. */
  wide?: boolean;
  children: ComponentChildren;
}

/** The layout of a screen. A new title takes the focus, so that screen readers announce it. */
export function ScreenPage({ title, badge, actions, wide = false, children }: ScreenPageProps) {
  const { Name } = usePageData();
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = `${title} – ${Name}`;
    // Not when the console has just been opened, nor out of a field.
    if (!isFirst.current || document.activeElement === document.body)
      heading.current?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [title]);
  return (
    <main class={[styles['screen'], wide && styles['wide']].filter(Boolean).join(' ')} id="screen">
      <header class={styles['head']}>
        <h1 class={styles['title']} ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {badge}
        <div class={styles['actions']}>{actions}</div>
      </header>
      {children}
    </main>
  );
}

interface CardProps {
  title: string;
  /** At the heading's right. */
  action?: ComponentChildren;
  children: ComponentChildren;
}

/** A card with a heading. */
export function Card({ title, action, children }: CardProps) {
  return (
    <section class={styles['card']} aria-label={title}>
      <header class={styles['cardHead']}>
        <h2>{title}</h2>
        {action}
      </header>
      {children}
    </section>
  );
}

/** What is known of one thing, in two columns where there is room. */
export function Facts({ rows }: { rows: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class={styles['facts']}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value ?? '–'}</dd>
        </div>
      ))}
    </dl>
  );
}
