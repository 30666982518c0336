import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { usePageData } from '../../../ui/api/page-data.ts';
import styles from './screen-page.module.css';

interface ScreenPageProps {
  title: string;
  /** The state of the shown object, next to the title. */
  badge?: ComponentChildren;
  /** Shown to the right of the title. */
  actions?: ComponentChildren;
  /** Uses the full width, for tables; by default the width is limited, because long lines are hard to read. */
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
    // The first title takes the focus only if no element has it; a changed title always does.
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
  /** Shown to the right of the heading. */
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

/** The properties of an object as names and values, in two columns if there is enough space. */
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
