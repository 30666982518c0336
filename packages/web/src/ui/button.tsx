import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import styles from './button.module.css';
import { SpinnerIcon } from './icon.tsx';

type Kind = 'primary' | 'quiet' | 'danger' | 'text';

export interface ButtonProps extends Omit<ButtonHTMLAttributes, 'class' | 'icon' | 'onClick'> {
  kind?: Kind | undefined;
  /** Uses the full width. */
  wide?: boolean;
  /** The action is in progress: the button keeps the focus, but ignores clicks. */
  busy?: boolean;
  /** What is in progress, in place of the words of the button. */
  busyWords?: string;
  /** The action is not possible yet. The button keeps the focus, too. */
  waits?: boolean;
  icon?: ComponentChildren;
  /** The button is busy until a returned promise settles. */
  onClick?: (event: MouseEvent) => unknown;
  children: ComponentChildren;
}

/** A button for an action on this page. */
export function Button({
  kind = 'quiet',
  wide,
  busy,
  busyWords,
  waits,
  icon,
  onClick,
  ...props
}: ButtonProps) {
  const { children, ...rest } = props;
  const [isActing, setActing] = useState(false);
  const isBusy = busy === true || isActing;
  const press = (event: MouseEvent): void => {
    if (isBusy || waits) return;
    const done = onClick?.(event);
    if (!(done instanceof Promise)) return;
    setActing(true);
    void done.finally(() => setActing(false));
  };
  return (
    <button
      type="button"
      {...rest}
      class={names(kind, wide)}
      aria-disabled={isBusy || waits ? 'true' : undefined}
      aria-busy={isBusy ? 'true' : undefined}
      {...(onClick && { onClick: press })}
    >
      {isBusy ? <Spinner /> : icon}
      <span>{(isBusy && busyWords) || children}</span>
    </button>
  );
}

function Spinner() {
  return (
    <span class={styles['spinner']}>
      <SpinnerIcon />
    </span>
  );
}

interface ButtonLinkProps {
  id?: string;
  'aria-labelledby'?: string;
  href: string;
  kind?: Kind;
  wide?: boolean;
  newTab?: boolean;
  icon?: ComponentChildren;
  children: ComponentChildren;
}

/** A link to another page that looks like a button. */
export function ButtonLink({
  kind = 'quiet',
  wide,
  newTab = false,
  icon,
  children,
  ...rest
}: ButtonLinkProps) {
  return (
    <a {...rest} class={names(kind, wide)} {...(newTab && { target: '_blank', rel: 'noopener noreferrer' })}>
      {icon}
      <span>{children}</span>
    </a>
  );
}

function names(kind: Kind, wide = false): string {
  return [styles['button'], styles[kind], wide && styles['wide']].filter(Boolean).join(' ');
}
