import type { GetVisitorResponse, Profile } from 'gatehouse-client';
import { type ComponentChildren, createContext } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { call, change, findVisitor, NOT_LOADED } from '../../ui/api.ts';
import type { Change, Problem, Result } from '../../ui/api.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button, TextButton } from '../../ui/button.tsx';
import { languageOf } from '../../ui/languages.ts';
import { chosenLanguage, type MessageKey, pageData, text } from '../../ui/locale.ts';
import { Fault, Notice } from '../../ui/notice.tsx';
import { breakable, Page, type PageProps } from '../../ui/page.tsx';
import { Items } from '../../ui/row.tsx';
import { onTheWay, PATHS, thisPage, useAround, usePage } from '../page.ts';
import { News } from '../parts.tsx';
import styles from './own-account.module.css';

type AccountPageProps = Pick<PageProps, 'title' | 'lead' | 'children'>;

/** The layout of an account page, with links to the others. If an app hands its session over, the visitor is asked first. */
export function AccountPage(props: AccountPageProps) {
  const { HandoverCode } = usePage().said;
  return HandoverCode === undefined ? <OwnPage {...props} /> : <HandOver code={HandoverCode} />;
}

function OwnPage({ children, ...page }: AccountPageProps) {
  const own = useProfile();
  const isLeaving = useAccountLanguage(own.value);
  useSessionWatch(own.value !== undefined);
  return (
    <Page {...page} aside={<SignedIn profile={own.value} />} menu={<AccountMenu />}>
      <WithAccount own={isLeaving ? { reload: own.reload } : own}>
        <News />
        {children}
      </WithAccount>
    </Page>
  );
}

/** Links to the pages of the account. On a small screen they scroll, and the present one is in sight. */
function AccountMenu() {
  const { path } = usePage();
  const menu = useRef<HTMLElement>(null);
  useEffect(() => {
    const current = menu.current?.querySelector<HTMLElement>('[aria-current]');
    if (!menu.current || !current) return;
    const room = menu.current.clientWidth - current.clientWidth;
    menu.current.scrollLeft = current.offsetLeft - menu.current.offsetLeft - room / 2;
  }, [path]);
  const links = [
    [PATHS.profile, 'menu.profile'],
    [PATHS.profileSecurity, 'menu.security'],
    [PATHS.profileSessions, 'menu.sessions'],
    [PATHS.profileApps, 'menu.apps'],
    [PATHS.profileData, 'menu.data'],
  ] as const;
  return (
    <nav class={styles['menu']} aria-label={text('menu.label')} ref={menu}>
      {links.map(([href, words]) => (
        <a key={href} class={styles['link']} href={href} aria-current={href === path ? 'page' : undefined}>
          {text(words)}
        </a>
      ))}
    </nav>
  );
}

function SignedIn({ profile }: { profile: Profile | undefined }) {
  const { AppUrl, Name } = pageData;
  const [isFailed, setFailed] = useState(false);
  const { set } = usePage();
  const signOut = async (): Promise<void> => {
    set({ isLeaving: true });
    const result = await call('POST /account/logout', {});
    // A session that has already ended is signed out, too. Loading the login page clears all data of this page.
    if (result.ok || result.problem.status === 401) location.assign(`${PATHS.login}?reason=signed_out`);
    else {
      set({ isLeaving: false });
      setFailed(true);
    }
  };
  return (
    <div class={styles['signedIn']}>
      {profile !== undefined && (
        <>
          <Avatar name={profile.DisplayName ?? profile.Email} />
          <span class={styles['email']}>{breakable(profile.Email)}</span>
        </>
      )}
      {AppUrl !== undefined && <a href={AppUrl}>{text('menu.app', { Name })}</a>}
      <TextButton words={text('menu.signOut')} onPress={signOut} />
      <span role="status">{isFailed && text('menu.signOut.failed')}</span>
    </div>
  );
}

/** Reloads in the language chosen in this browser, or the account's, unless the address names one. Returns whether it does. */
function useAccountLanguage(profile: Profile | undefined): boolean {
  const { Locale, Locales } = pageData;
  const { isLanguageAsked, said } = usePage();
  const params = new URLSearchParams(said).toString();
  const wanted =
    profile === undefined || isLanguageAsked
      ? undefined
      : languageOf(chosenLanguage() ?? profile.Locale, Locales);
  const isOther = wanted !== undefined && wanted !== Locale;
  useEffect(() => {
    // Unused data of a link is passed on to the reloaded page.
    const fragment = params && `#${params}`;
    if (isOther) location.replace(`?${new URLSearchParams({ locale: wanted }).toString()}${fragment}`);
  }, [isOther, wanted]);
  return isOther;
}

/** How long to wait for another stream, if there was none, or too many. */
const AGAIN_MS = 30_000;

/** Opens the login when the session ends elsewhere (docs/session-streams.md). A hidden page looks again when it is shown. */
function useSessionWatch(isSignedIn: boolean): void {
  const leave = useSignedOut();
  const { isLeaving, set } = usePage();
  useEffect(() => set({ isLeaving: false }), []);
  useEffect(() => {
    if (!isSignedIn || isLeaving) return undefined;
    let stream: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const close = (): void => {
      clearTimeout(timer);
      stream?.close();
      stream = undefined;
    };
    const open = (): void => {
      close();
      if (document.hidden) return;
      const own = new EventSource('/account/session/stream');
      stream = own;
      own.addEventListener('status', ({ data }) => {
        const body = JSON.parse(String(data)) as { Reason?: Problem['code'] }; // as documented
        // Without a reason the session goes on.
        if (body.Reason === undefined) return;
        close();
        leave({ status: 401, code: body.Reason, errors: [], body: { ...body } });
      });
      own.addEventListener('error', () => {
        // The browser reconnects by itself, unless the answer was no stream: the session may be over.
        if (own !== stream || own.readyState !== EventSource.CLOSED) return;
        timer = setTimeout(open, AGAIN_MS);
        void call('GET /account/profile').then((result) => {
          if (own === stream && !result.ok) leave(result.problem);
        });
      });
    };
    open();
    document.addEventListener('visibilitychange', open);
    return () => {
      document.removeEventListener('visibilitychange', open);
      close();
    };
  }, [isSignedIn, isLeaving]);
}

const EXCHANGE = 'POST /account/handover/exchange';

/** Takes an app's session over. Without the question, an attacker's link would sign the visitor in to the attacker's account. */
function HandOver({ code: HandoverCode }: { code: string }) {
  const { forgetFragment } = usePage();
  const [email, setEmail] = useState<string>();
  const [problem, setProblem] = useState<Problem>();
  const look = async (): Promise<void> => {
    setProblem(undefined);
    const show = (session: { Email: string }): void => setEmail(session.Email);
    const found = await change(EXCHANGE, { HandoverCode, DryRun: true }, show);
    // The visitor may already be signed in; if not, the login page follows.
    if (found?.code === 'invalid_code') forgetFragment();
    else setProblem(found);
  };
  const take = async () => setProblem(await change(EXCHANGE, { HandoverCode }, forgetFragment));
  useEffect(() => void look(), [HandoverCode]);
  return (
    <Page title={text('handOver.title')} lead={text('handOver.lead')}>
      <Fault
        problem={problem}
        explanations={{ ...NOT_LOADED, invalid_code: 'handOver.expired', conflict: 'own.conflict' }}
      />
      {problem === undefined && email === undefined && <Loading />}
      {problem === undefined && email !== undefined && (
        <Button kind="primary" wide onClick={take}>
          {text('handOver.submit', { email })}
        </Button>
      )}
      {problem !== undefined && problem.code !== 'invalid_code' && (
        <Button wide onClick={email === undefined ? look : take}>
          {text('own.again')}
        </Button>
      )}
      <Button wide onClick={forgetFragment}>
        {text('handOver.other')}
      </Button>
    </Page>
  );
}

interface Own<T> {
  value?: T | undefined;
  problem?: Problem | undefined;
  reload: () => Promise<void>;
}

/** Loads something of the signed-in account. Others are sent to the login page, and return afterwards. */
export function useOwn<T>(path: `/${string}`, load = (): Promise<Result<T>> => call(`GET ${path}`)): Own<T> {
  const leave = useSignedOut();
  const [state, setState] = useState<{ value?: T; problem?: Problem }>({});
  const reload = async (): Promise<void> => {
    const result = await load();
    if (result.ok) setState({ value: result.value });
    else if (!leave(result.problem)) setState({ problem: result.problem });
  };
  useEffect(() => void reload(), [path]);
  return { ...state, reload };
}

export function useProfile(): Own<Profile> {
  return useOwn('/account/profile', findProfile);
}

export function findProfile(): Promise<Result<Profile>> {
  const asked = call<GetVisitorResponse>('GET /account/visitor');
  return findVisitor('Profile', asked, () => call('GET /account/profile'));
}

const AccountContext = createContext<{ profile: Profile; reload: () => Promise<void> } | undefined>(
  undefined,
);

/** The signed-in account, within `WithAccount`. */
export function useAccount() {
  return useAround(AccountContext);
}

export function WithAccount({ own, children }: { own: Own<Profile>; children: ComponentChildren }) {
  return (
    <Loaded own={own}>
      {(profile) => (
        <AccountContext.Provider value={{ profile, reload: own.reload }}>{children}</AccountContext.Provider>
      )}
    </Loaded>
  );
}

/** Opens the login page if the problem is that nobody is signed in (any more). Returns whether it does. */
export function useSignedOut(): (problem: Problem) => boolean {
  const { route, set } = usePage();
  return (problem) => {
    if (problem.status !== 401) return false;
    set({ ending: problem });
    const returnUrl = thisPage();
    const back = {
      // Without an app, a login leads to the profile anyway.
      ...((returnUrl !== PATHS.profile || pageData.AppUrl !== undefined) && { returnUrl }),
      // Nobody was signed in: there is no ending to explain.
      ...(problem.code !== 'token_missing' && { reason: problem.code }),
    };
    route(onTheWay(PATHS.login, back), true);
    return true;
  };
}

/** Changes something of the account. Returns the error; none if the login page opens, as nobody is signed in. */
export function useOwnCall() {
  const leave = useSignedOut();
  return async (...asked: Change): Promise<Problem | undefined> => {
    const problem = await change(...asked);
    return problem && leave(problem) ? undefined : problem;
  };
}

/** Removes things of the account one by one, up to the first error. What is gone already counts as removed. */
export function useRemoval(onRemoved?: () => unknown) {
  const leave = useSignedOut();
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<ComponentChildren>();
  const remove = async (paths: readonly `/${string}`[], words: string): Promise<void> => {
    setBusy(true);
    setOutcome(undefined);
    let count = 0;
    let problem: Problem | undefined;
    for (const path of paths) {
      const result = await call(`DELETE ${path}`);
      problem = result.ok || result.problem.status === 404 ? undefined : result.problem;
      if (problem !== undefined) break;
      count += 1;
    }
    if (problem === undefined) setOutcome(<Notice meaning="success">{words}</Notice>);
    else if (!leave(problem)) setOutcome(<Fault problem={problem} />);
    if (count > 0) await onRemoved?.();
    setBusy(false);
  };
  return { isBusy, outcome, remove };
}

export function Loaded<T>({ own, children }: { own: Own<T>; children: (value: T) => ComponentChildren }) {
  const { value, problem, reload } = own;
  if (problem !== undefined) {
    return (
      <>
        <Fault problem={problem} explanations={{ ...NOT_LOADED, conflict: 'own.conflict' }} />
        <Button onClick={reload}>{text('own.again')}</Button>
      </>
    );
  }
  return value === undefined ? <Loading /> : <>{children(value)}</>;
}

interface OwnItemsProps<T> {
  own: Own<{ Items: readonly T[] }>;
  none?: MessageKey;
  children: (item: T) => ComponentChildren;
}

export function OwnItems<T>({ own, none, children }: OwnItemsProps<T>) {
  return (
    <Loaded own={own}>
      {({ Items: all }) =>
        all.length > 0 ? <Items>{all.map(children)}</Items> : none !== undefined && <p>{text(none)}</p>
      }
    </Loaded>
  );
}

export function Loading() {
  return <p role="status">{text('own.loading')}</p>;
}
