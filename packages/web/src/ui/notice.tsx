import type { ComponentChildren } from 'preact';
import { type Explanations, type Problem, problemText } from './api.ts';
import { Icon } from './icon.tsx';
import { text } from './locale.ts';
import styles from './notice.module.css';

const ICONS = { success: 'success', warning: 'warning', danger: 'alert', information: 'info' } as const;

interface NoticeProps {
  meaning: keyof typeof ICONS;
  children: ComponentChildren;
  /** Whether it can receive the focus, when it appears. */
  focusable?: boolean;
}

/** A message in a box with an icon. Screen readers announce it when it appears. */
export function Notice({ meaning, children, focusable }: NoticeProps) {
  return (
    <div
      class={[styles['notice'], styles[meaning]].join(' ')}
      role={meaning === 'danger' ? 'alert' : 'status'}
      tabIndex={focusable ? -1 : undefined}
    >
      <Icon name={ICONS[meaning]} />
      <div class={styles['words']}>{children}</div>
    </div>
  );
}

/** Says what went wrong with a call, and what to do; nothing if nothing did. */
export function Fault(props: { problem: Problem | undefined; explanations?: Explanations | undefined }) {
  const { problem, explanations } = props;
  return problem && <Notice meaning="danger">{problemText(problem, text, explanations)}</Notice>;
}
