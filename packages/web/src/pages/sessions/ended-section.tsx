import { useText, type MessageKey } from '../../ui/locale/locale.ts';
import { Section } from '../../ui/layout/section.tsx';
import { Time } from '../../ui/time.tsx';
import { Loaded } from '../account/loaded.tsx';
import { useOwn } from '../account/own-account.ts';
import { deviceName } from '../device.ts';
import type { OwnSession } from './session-item.tsx';
import styles from './sessions.module.css';

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
        {({ Items }) =>
          Items.length === 0 ? (
            <p>{text('sessions.past.none')}</p>
          ) : (
            <ul class={styles['list']}>
              {Items.map((session) => (
                <li key={session.Id} class={styles['item']}>
                  <div class={styles['facts']}>
                    <p class={styles['device']}>{deviceName(session) ?? text('sessions.unknown')}</p>
                    <p class={styles['quiet']}>
                      {session.IpAddress ?? text('sessions.noAddress')} · {text(reasonOf(session))}
                      {session.EndedAt !== undefined && (
                        <>
                          {', '}
                          <Time at={session.EndedAt} />
                        </>
                      )}
                    </p>
                  </div>
                </li>
              ))}
            </ul>
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
