import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import styles from './step.module.css';

/** One of several steps of a section. It receives the focus when it appears, so that screen readers announce it. */
export function Step({
  title,
  lead,
  children,
}: {
  title: string;
  lead?: ComponentChildren;
  children: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div class={styles['step']}>
      <h3 class={styles['title']} ref={heading} tabIndex={-1}>
        {title}
      </h3>
      {lead !== undefined && <p>{lead}</p>}
      {children}
    </div>
  );
}
