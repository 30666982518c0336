import type {
  ListOwnSessionsResponse,
  ListOwnSignInsResponse,
  OwnSession,
  OwnSignIn,
} from 'gatehouse-client';
import { useState } from 'preact/hooks';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { deviceName, kindOfDevice } from '../../ui/device-name.ts';
import { type MessageKey, text } from '../../ui/locale.ts';
import { Notice } from '../../ui/notice.tsx';
import { Item, Items, Mark, OpenItem, Section } from '../../ui/row.tsx';
import { Time, When } from '../../ui/time.tsx';
import { AccountPage, Loaded, OwnItems, useOwn, useRemoval } from '../account/own-account.tsx';
import { PATHS } from '../page.ts';
import styles from './sessions.module.css';

export function SessionsPage() {
  const [endings, setEndings] = useState(0);
  return (
    <AccountPage title={text('sessions.title')} lead={text('sessions.lead')}>
      <div>
        <ActiveSection key={`active ${endings}`} />
        <SignInsSection onEnded={() => setEndings(endings + 1)} />
        <EndedSection key={`ended ${endings}`} />
      </div>
    </AccountPage>
  );
}

/** The current session is ended by signing out. */
function ActiveSection() {
  const own = useOwn<ListOwnSessionsResponse>('/account/session');
  const { isBusy: waits, outcome, end } = useEnding(own.reload);
  const others = othersIn(own.value);
  return (
    <Section title={text('sessions.active.title')} lead={text('sessions.active.lead')}>
      {outcome}
      <Loaded own={own}>
        {({ Items: all }) => (
          <>
            {groupsOf(all).map(({ tag, sessions }) => (
              <div key={tag} class={styles['group']}>
                {tag !== undefined && <h3 class={styles['tag']}>{tag || text('sessions.otherTag')}</h3>}
                <Items>
                  {sessions.map((session) => (
                    <Item
                      key={session.Id}
                      {...deviceOf(session)}
                      facts={[
                        <>
                          {session.IpAddress ?? text('sessions.noAddress')} ·{' '}
                          <When words="sessions.lastSeen" at={session.LastSeenAt} />
                        </>,
                        <When words="sessions.since" at={session.CreatedAt} />,
                      ]}
                      actions={
                        session.IsCurrent
                          ? []
                          : [{ words: text('sessions.end'), waits, onPress: () => end([session]) }]
                      }
                    />
                  ))}
                </Items>
              </div>
            ))}
            {others.length > 1 && (
              <div>
                <Button kind="danger" waits={waits} onClick={() => end(others)}>
                  {text('sessions.endOthers')}
                </Button>
              </div>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

function useEnding(onEnded?: () => unknown) {
  const { remove, ...rest } = useRemoval(onEnded);
  const end = (sessions: readonly OwnSession[]): Promise<void> =>
    remove(
      sessions.map(({ Id }) => `/account/session/${Id}` as const),
      text('sessions.ended.count', { count: sessions.length }),
    );
  return { ...rest, end };
}

function othersIn(list: ListOwnSessionsResponse | undefined): OwnSession[] {
  return list?.Items.filter(({ IsCurrent }) => !IsCurrent) ?? [];
}

/** Offers to end all other sessions, as a stranger may have them: after a change of a sign-in method, or a foreign sign-in. */
export function OtherSessions({ lead, onEnded }: { lead?: MessageKey; onEnded?: () => void }) {
  const others = othersIn(useOwn<ListOwnSessionsResponse>('/account/session').value);
  const { outcome, end } = useEnding(onEnded);
  if (outcome !== undefined) return <>{outcome}</>;
  if (others.length === 0) return null;
  return (
    <Notice meaning="warning">
      <p>{text(lead ?? 'sessions.others', { count: others.length })}</p>
      <Button onClick={() => end(others)}>{text('sessions.others.end')}</Button>
    </Notice>
  );
}

/** The sessions by tag, in the order of the list; in one group without a tag if they all have the same one. */
function groupsOf(sessions: readonly OwnSession[]): { tag?: string; sessions: readonly OwnSession[] }[] {
  const tags = [...new Set(sessions.map(({ Tag }) => Tag ?? ''))];
  if (tags.length < 2) return [{ sessions }];
  return tags.map((tag) => ({ tag, sessions: sessions.filter(({ Tag }) => (Tag ?? '') === tag) }));
}

function deviceOf(session: OwnSession) {
  const title = (
    <>
      {deviceName(session) ?? text('sessions.unknown')}
      {session.IsCurrent && <Mark>{text('sessions.current')}</Mark>}
    </>
  );
  return { icon: kindOfDevice(session.UserAgent ?? ''), title };
}

function SignInsSection({ onEnded }: { onEnded: () => void }) {
  const own = useOwn<ListOwnSignInsResponse>('/account/sign-in');
  return (
    <Section title={text('sessions.signIns.title')} lead={text('sessions.signIns.lead')}>
      <OwnItems own={own} none="sessions.signIns.none">
        {(signIn) => <SignInItem key={signIn.Id} signIn={signIn} onEnded={onEnded} />}
      </OwnItems>
    </Section>
  );
}

function SignInItem({ signIn, onEnded }: { signIn: OwnSignIn; onEnded: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const { At, IpAddress, Provider, Result } = signIn;
  const isRefused = Result === 'Refused';
  const deny = { words: text('sessions.notMe'), kind: 'text', onPress: () => setOpen(true) } as const;
  return (
    <>
      <Item
        icon={isRefused ? 'alert' : 'success'}
        isBad={isRefused}
        title={text(resultOf(signIn), { provider: Provider ?? '' })}
        facts={[
          <>
            {deviceName(signIn) ?? text('sessions.unknown')} · {IpAddress ?? text('sessions.noAddress')} ·{' '}
            <Time at={At} />
          </>,
        ]}
        actions={isOpen ? [] : [deny]}
      />
      {isOpen && (
        <OpenItem>
          <Notice meaning="warning">
            <p>{text(signIn.Reason === 'password' ? 'sessions.notMe.nobody' : 'sessions.notMe.lead')}</p>
            <ButtonLink href={PATHS.profileSecurity}>{text('sessions.notMe.password')}</ButtonLink>
          </Notice>
          <OtherSessions lead="sessions.notMe.others" onEnded={onEnded} />
        </OpenItem>
      )}
    </>
  );
}

function resultOf({ Result, Method, Reason }: OwnSignIn): MessageKey {
  if (Result === 'SecondFactorAsked') return 'sessions.signIn.secondFactorAsked';
  return Result === 'Succeeded'
    ? (METHODS.get(Method) ?? 'sessions.signIn.succeeded')
    : (REFUSALS.get(Reason) ?? 'sessions.signIn.refused');
}

const METHODS = new Map<string | null, MessageKey>([
  ['Password', 'sessions.signIn.password'],
  ['MailCode', 'sessions.signIn.mailCode'],
  ['Passkey', 'sessions.signIn.passkey'],
  ['SignOn', 'sessions.signIn.signOn'],
]);

/** The texts for reasons of docs/sign-ins.md. Any other reason is shown as "refused". */
const REFUSALS = new Map<string | null, MessageKey>([
  ['password', 'sessions.signIn.wrongPassword'],
  ['second-factor', 'sessions.signIn.wrongSecondFactor'],
  ['passkey', 'sessions.signIn.wrongPasskey'],
  ['mail-code', 'sessions.signIn.wrongMailCode'],
  ['throttled', 'sessions.signIn.throttled'],
  ['session_exists', 'sessions.signIn.exists'],
]);

function EndedSection() {
  const own = useOwn<ListOwnSessionsResponse>('/account/session?ended=true&limit=10');
  return (
    <Section title={text('sessions.past.title')} lead={text('sessions.past.lead')}>
      <OwnItems own={own} none="sessions.past.none">
        {(session) => (
          <Item
            key={session.Id}
            {...deviceOf(session)}
            facts={[
              <>
                {session.IpAddress ?? text('sessions.noAddress')} ·{' '}
                {text(ENDINGS.get(session.Reason) ?? 'sessions.past.ended')}
                {session.EndedAt !== undefined && ', '}
                {session.EndedAt !== undefined && <Time at={session.EndedAt} />}
              </>,
            ]}
          />
        )}
      </OwnItems>
    </Section>
  );
}

/** The texts for reasons of docs/sessions.md. Any other reason is shown as "ended". */
const ENDINGS = new Map<string | undefined, MessageKey>([
  ['replaced', 'sessions.past.replaced'],
  ['logout', 'sessions.past.logout'],
  ['password_changed', 'sessions.past.password'],
  ['password_reset', 'sessions.past.password'],
  ['email_taken_back', 'sessions.past.email'],
  ['two_factor_enabled', 'sessions.past.twoFactor'],
  ['refresh_token_reused', 'sessions.past.reused'],
  ['expired', 'sessions.past.expired'],
  ['administrator', 'sessions.past.administrator'],
  ['two_factor_removed', 'sessions.past.administrator'],
  ['passkey_removed', 'sessions.past.passkey'],
]);
