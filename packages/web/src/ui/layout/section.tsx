import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import styles from './section.module.css';

interface SectionProps {
  title: string;
  lead?: ComponentChildren;
  children: ComponentChildren;
}

/** A section of a wide page: its description, and below it what it is about. */
export function Section({ title, lead, children }: SectionProps) {
  const id = useId();
  return (
    <section class={styles['section']} aria-labelledby={id}>
      <div>
        <h2 class={styles['title']} id={id}>
          {title}
        </h2>
        {lead !== undefined && <p class={styles['lead']}>{lead}</p>}
      </div>
      <div class={styles['content']}>{children}</div>
    </section>
  );
}
