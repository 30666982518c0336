import styles from './avatar.module.css';
import { UserIcon } from './icon.tsx';
import { initialsOf } from './initials.ts';

/** A circle with the initials of a person. It only repeats the name next to it. */
export function Avatar({ name }: { name: string }) {
  return (
    <span class={styles['avatar']} aria-hidden="true">
      {initialsOf(name) || <UserIcon />}
    </span>
  );
}
