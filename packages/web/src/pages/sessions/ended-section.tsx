import { useText, type MessageKey } from '../../ui/locale/locale.ts';
import { Item, Items } from '../../ui/layout/items.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { Time } from '../../ui/time.tsx';
import { Loaded } from '../account/loaded.tsx';
import { useOwn } from '../account/own-account.ts';
import { deviceName } from '../device.ts';
import { DeviceIcon } from '../device-icon.tsx';
import type { OwnSession } from './session-item.tsx';

interface EndedSession extends OwnSession {
  EndedAt?: string;
  Reason?: string;
}

/** The sessions that ended most recently, and why. */
export function EndedSection() {
  const text = useText();
  const own = useOwn<{ Items: EndedSession[] }>(`/account/session?ended=true&limit=${SHOWN}`);
  return (
    <Section title={text('sessions.past.title')} lead={text('sessions.past.lead')}>
      <Loaded own={own}>
        {({ Items: sessions }) =>
          sessions.length === 0 ? (
            <p>{text('sessions.past.none')}</p>
          ) : (
            <Items>
              {sessions.map((session) => (
                <Item
                  key={session.Id}
                  icon={<DeviceIcon userAgent={session.UserAgent} />}
                  title={deviceName(session) ?? text('sessions.unknown')}
                  facts={[
                    <>
                      {session.IpAddress ?? text('sessions.noAddress')} · {text(reasonOf(session))}
                      {session.EndedAt !== undefined && (
                        <>
                          {', '}
                          <Time at={session.EndedAt} />
                        </>
                      )}
                    </>,
                  ]}
                />
              ))}
            </Items>
          )
        }
      </Loaded>
    </Section>
  );
}

const SHOWN = 10;

function reasonOf({ Reason = '' }: EndedSession): MessageKey {
  return (Object.hasOwn(REASONS, Reason) ? REASONS[Reason] : undefined) ?? 'sessions.past.ended';
}

/** The texts for reasons of docs/sessions.md. Any other reason is shown as "ended". */
const REASONS: Readonly<Record<string, MessageKey>> = {
  replaced: 'sessions.past.replaced',
  logout: 'sessions.past.logout',
  password_changed: 'sessions.past.password',
  password_reset: 'sessions.past.password',
  email_taken_back: 'sessions.past.email',
  two_factor_enabled: 'sessions.past.twoFactor',
  refresh_token_reused: 'sessions.past.reused',
  expired: 'sessions.past.expired',
  administrator: 'sessions.past.administrator',
  two_factor_removed: 'sessions.past.administrator',
  passkey_removed: 'sessions.past.passkey',
};
