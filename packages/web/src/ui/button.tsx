import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import styles from './button.module.css';
import { Icon, type IconLike, iconOf } from './icon.tsx';

type Kind = 'primary' | 'quiet' | 'danger' | 'text';

export interface ButtonProps extends Omit<ButtonHTMLAttributes, 'class' | 'icon' | 'onClick'> {
  kind?: Kind | undefined;
  wide?: boolean;
  /** The action is in progress: the button keeps the focus, but ignores clicks. */
  busy?: boolean;
  busyWords?: string;
  /** The action is not possible yet. The button keeps the focus, too. */
  waits?: boolean;
  icon?: IconLike;
  /** The button is busy until a returned promise settles. */
  onClick?: (event: MouseEvent) => unknown;
  children: ComponentChildren;
}

export function Button(props: ButtonProps) {
  const { kind = 'quiet', wide, busy, busyWords, waits, icon, onClick, children, ...rest } = props;
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
      {isBusy ? (
        <span class={styles['spinner']}>
          <Icon name="spinner" />
        </span>
      ) : (
        iconOf(icon)
      )}
      <span>{(isBusy && busyWords) || children}</span>
    </button>
  );
}

/** A button that looks like a link, for what is done less often. */
export function TextButton({ words, onPress }: { words: string; onPress: () => unknown }) {
  return (
    <Button kind="text" onClick={onPress}>
      {words}
    </Button>
  );
}

interface ButtonLinkProps extends Pick<ButtonProps, 'kind' | 'wide' | 'children'> {
  id?: string;
  'aria-labelledby'?: string;
  href: string;
  newTab?: boolean;
}

export function ButtonLink(props: ButtonLinkProps) {
  const { kind = 'quiet', wide, newTab = false, children, ...rest } = props;
  return (
    <a {...rest} class={names(kind, wide)} {...(newTab && { target: '_blank', rel: 'noopener noreferrer' })}>
      <span>{children}</span>
    </a>
  );
}

function names(kind: Kind, wide = false): string {
  return [styles['button'], styles[kind], wide && styles['wide']].filter(Boolean).join(' ');
}
