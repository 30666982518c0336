import { useId } from 'preact/hooks';
import { Button } from '../../ui/form/button.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { Time } from '../../ui/time.tsx';
import { deviceName } from '../device.ts';
import styles from './sessions.module.css';

/** A session, as shown to its owner. */
export interface OwnSession {
  Id: string;
  IsCurrent: boolean;
  /** The kind of device, if the installation tells them apart. */
  Tag: string | null;
  DeviceName: string | null;
  UserAgent: string | null;
  IpAddress: string | null;
  CreatedAt: string;
  LastSeenAt: string;
}

interface SessionItemProps {
  session: OwnSession;
  busy: boolean;
  onEnd: () => void;
}

/** One session: its device, IP address, last use and start. The current session is ended by signing out. */
export function SessionItem({ session, busy, onEnd }: SessionItemProps) {
  const text = useText();
  const id = useId();
  const device = deviceName(session) ?? text('sessions.unknown');
  return (
    <li class={styles['item']}>
      <div class={styles['facts']}>
        <p class={styles['device']} id={id}>
          {device} {session.IsCurrent && <span class={styles['current']}>{text('sessions.current')}</span>}
        </p>
        <p class={styles['quiet']}>
          {session.IpAddress ?? text('sessions.noAddress')} · {text('sessions.lastSeen')}{' '}
          <Time at={session.LastSeenAt} />
        </p>
        <p class={styles['quiet']}>
          {text('sessions.since')} <Time at={session.CreatedAt} />
        </p>
      </div>
      {!session.IsCurrent && (
        <Button busy={busy} onClick={onEnd} aria-describedby={id}>
          {text('sessions.end')}
        </Button>
      )}
    </li>
  );
}
