import { useId } from 'preact/hooks';
import { Button } from '../../ui/form/button.tsx';
import { Item, Mark } from '../../ui/layout/items.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { Time } from '../../ui/time.tsx';
import { deviceName } from '../device.ts';
import { DeviceIcon } from '../device-icon.tsx';

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
  onEnd: () => Promise<void>;
}

/** One session: its device, IP address, last use and start. The current session is ended by signing out. */
export function SessionItem({ session, busy, onEnd }: SessionItemProps) {
  const text = useText();
  const id = useId();
  return (
    <Item
      icon={<DeviceIcon userAgent={session.UserAgent} />}
      titleId={id}
      title={
        <>
          {deviceName(session) ?? text('sessions.unknown')}
          {session.IsCurrent && <Mark>{text('sessions.current')}</Mark>}
        </>
      }
      facts={[
        <>
          {session.IpAddress ?? text('sessions.noAddress')} · {text('sessions.lastSeen')}{' '}
          <Time at={session.LastSeenAt} />
        </>,
        <>
          {text('sessions.since')} <Time at={session.CreatedAt} />
        </>,
      ]}
    >
      {!session.IsCurrent && (
        <Button waits={busy} onClick={onEnd} aria-describedby={id}>
          {text('sessions.end')}
        </Button>
      )}
    </Item>
  );
}
