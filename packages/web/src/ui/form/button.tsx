import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import styles from './button.module.css';

type Kind = 'primary' | 'quiet' | 'danger' | 'text';

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'class' | 'icon'> {
  kind?: Kind;
  /** Uses the full width. */
  wide?: boolean;
  /** The action is in progress: the button keeps the focus, but ignores clicks. */
  busy?: boolean;
  icon?: ComponentChildren;
  children: ComponentChildren;
}

/** A button for an action on this page. */
export function Button({ kind = 'quiet', wide, busy, icon, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      class={names(kind, wide)}
      aria-disabled={busy ? 'true' : undefined}
      aria-busy={busy ? 'true' : undefined}
      {...(onClick && { onClick: busy ? undefined : onClick })}
    >
      {icon}
      <span>{children}</span>
    </button>
  );
}

interface ButtonLinkProps {
  href: string;
  kind?: Kind;
  wide?: boolean;
  /** Opens the link in a new tab. */
  newTab?: boolean;
  icon?: ComponentChildren;
  children: ComponentChildren;
}

/** A link to another page that looks like a button. */
export function ButtonLink({ href, kind = 'quiet', wide, newTab = false, icon, children }: ButtonLinkProps) {
  return (
    <a
      class={names(kind, wide)}
      href={href}
      {...(newTab && { target: '_blank', rel: 'noopener noreferrer' })}
    >
      {icon}
      <span>{children}</span>
    </a>
  );
}

function names(kind: Kind, wide = false): string {
  return [styles['button'], styles[kind], wide && styles['wide']].filter(Boolean).join(' ');
}
