import styles from './avatar.module.css';
import { UserIcon } from './icon.tsx';
import { initialsOf } from './initials.ts';

/** A circle with the initials of a person, `small` in a row of a table. It only repeats the name next to it. */
export function Avatar({ name, small = false }: { name: string; small?: boolean }) {
  return (
    <span class={[styles['avatar'], small && styles['small']].filter(Boolean).join(' ')} aria-hidden="true">
      {initialsOf(name) || <UserIcon />}
    </span>
  );
}
