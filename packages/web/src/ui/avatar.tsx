import styles from './avatar.module.css';
import { Icon } from './icon.tsx';
import { initialsOf } from './initials.ts';

/** A circle with the initials of a person, `small` in a row of a table. It only repeats the name next to it. */
export function Avatar({ name, size }: { name: string; size?: 'small' | 'large' }) {
  return (
    <span class={[styles['avatar'], size && styles[size]].filter(Boolean).join(' ')} aria-hidden="true">
      {initialsOf(name) || <Icon name="user" />}
    </span>
  );
}
