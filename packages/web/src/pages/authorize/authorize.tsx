import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { useEffect, useRef, useState } from 'preact/hooks';
import { call, NOT_LOADED, type Problem } from '../../ui/api.ts';
import { breakable } from '../../ui/breakable.tsx';
import { isAddress } from '../../ui/browser.ts';
import { Button } from '../../ui/button.tsx';
import { CheckIcon } from '../../ui/icon.tsx';
import { type MessageKey, text } from '../../ui/locale.ts';
import { Fault, Notice } from '../../ui/notice.tsx';
import { Page, SecondaryActions } from '../../ui/page.tsx';
import { Loaded, Loading, useProfile } from '../account/own-account.tsx';
import { type ProofAction, ProofStep } from '../account/proof.tsx';
import { DonePage } from '../link-page.tsx';
import { onTheWay, thisPage } from '../login/destination.ts';
import { usePageState } from '../page-state.ts';
import { PATHS } from '../paths.ts';
import styles from './authorize.module.css';
import { keepRequest, keptRequest } from './kept-authorization.ts';

/** Signs the visitor in to an app (OpenID Connect). The request of the app stays in the address of this page. */
export function AuthorizePage() {
  const { request, answer, problem, send, begin } = useAuthorization();
  switch (answer?.Kind) {
    case 'Consent':
      return <ConsentStep asked={answer} request={request} onDecide={send} />;
    case 'Login':
      return (
        <ProveAgainStep
          title={text('authorize.title')}
          lead={(email) => text('authorize.prove', { email })}
          onProof={send}
          onCancel={() => void send({ Consent: 'denied' })}
        />
      );
    case 'Refused':
      return <RefusedPage title={text('authorize.refused.title')} code={answer.Code} />;
    case 'Redirect':
      return (
        <DonePage
          title={text('signedIn.title')}
          lead={text('authorize.redirect.lead')}
          href={answer.Location}
          next={text('signedIn.continue')}
        />
      );
    case 'Post':
      return <PostStep answer={answer} />;
    case undefined:
      return <UnansweredPage title={text('authorize.title')} problem={problem} onAgain={begin} />;
  }
}

interface UnansweredPageProps {
  title: string;
  problem: Problem | undefined;
  onAgain: () => Promise<unknown>;
}

/** Shown until the service has answered the request of an app, and if it does not. */
export function UnansweredPage({ title, problem, onAgain }: UnansweredPageProps) {
  return (
    <Page title={title}>
      {problem === undefined ? (
        <Loading />
      ) : (
        <>
          <Fault problem={problem} explanations={NOT_LOADED} />
          <Button wide onClick={() => onAgain()}>
            {text('own.again')}
          </Button>
        </>
      )}
    </Page>
  );
}

/**
 * Sends the request for a sign-in in the address of this page to the service, and follows the response: to the login page,
 * which leads back to exactly this address, or to the app.
 */
function useAuthorization() {
  const { route } = useLocation();
  const { setEmail } = usePageState();
  // Unchanged, because the service compares it; absent while the page is rendered at build time.
  const [request] = useState(() => globalThis.location.search.slice(1));
  const [answer, setAnswer] = useState<Authorization>();
  const [problem, setProblem] = useState<Problem>();

  const follow = (next: Authorization): void => {
    if ('Since' in next) keepRequest({ request, since: next.Since, app: nameOf(next.Client) });
    if (next.Kind !== 'Login' || next.Prompt !== undefined) {
      setAnswer(next);
      if (next.Kind === 'Redirect') location.replace(next.Location);
      return;
    }
    if (next.LoginHint !== undefined && isAddress(next.LoginHint)) setEmail(next.LoginHint);
    route(onTheWay(PATHS.login, { returnUrl: thisPage(), sessionTag: next.SessionTag }), true);
  };
  /** Sends the request with the visitor's consent, or with a proof of identity. Returns the error, if there is one. */
  const send = async (more: object = {}): Promise<Problem | undefined> => {
    const Since = keptRequest(request)?.since;
    const body = { Request: request, Since, ...more };
    const result = await call<Authorization>('POST', '/oauth/authorization', body);
    if (!result.ok) return result.problem;
    setProblem(undefined);
    follow(result.value);
    return undefined;
  };
  const begin = async (): Promise<void> => setProblem(await send());
  useEffect(() => {
    // Only the policy of this page lets its answer be posted to the app, not that of the login page.
    if (isPosted(request) && location.href !== LOADED_AT) location.reload();
    else void begin();
  }, []);
  return { request, answer, problem, send, begin };
}

/** The address that the document was loaded from; absent while the page is rendered at build time. */
const LOADED_AT = globalThis.location?.href;

function isPosted(request: string): boolean {
  return new URLSearchParams(request).get('response_mode') === 'form_post';
}

/** An app; with a host, the name is what its own document says. */
interface AskingClient {
  Name: string;
  Host?: string;
}

/** What is known of an app for certain. */
function nameOf({ Name, Host }: AskingClient): string {
  return Host ?? Name;
}

/** The response of `POST /oauth/authorization`: what to do about an app's request for a sign-in. */
type Authorization =
  | { Kind: 'Redirect'; Location: string }
  | {
      Kind: 'Login';
      Client: AskingClient;
      LoginHint?: string;
      Prompt?: string;
      SessionTag?: string;
      Since: number;
    }
  | { Kind: 'Post'; Location: string; Fields: Record<string, string> }
  | {
      Kind: 'Consent';
      Client: AskingClient;
      Scopes: string[];
      Email: string;
      ConsentTo: string;
      Since: number;
      /** The sign-in does not end with the session. */
      Outlives?: boolean;
    }
  | { Kind: 'Refused'; Code: string };

/** Posts the answer to the app at once; with a button, in case that the browser does not. */
function PostStep({ answer }: { answer: Extract<Authorization, { Kind: 'Post' }> }) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.submit(), []);
  return (
    <Page title={text('signedIn.title')} lead={text('authorize.redirect.lead')}>
      <form method="post" action={answer.Location} ref={form}>
        {Object.entries(answer.Fields).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Button type="submit" kind="primary" wide>
          {text('signedIn.continue')}
        </Button>
      </form>
    </Page>
  );
}

interface ConsentStepProps {
  asked: Extract<Authorization, { Kind: 'Consent' }>;
  request: string;
  onDecide: (decision: { Consent: 'granted' | 'denied'; ConsentTo: string }) => Promise<Problem | undefined>;
}

function ConsentStep({ asked, request, onDecide }: ConsentStepProps) {
  const isSettled = useSettled();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const { Client, Scopes, Email, ConsentTo, Outlives } = asked;
  const decide = async (Consent: 'granted' | 'denied'): Promise<void> => {
    setBusy(true);
    setProblem(await onDecide({ Consent, ConsentTo }));
    setBusy(false);
  };
  const changeAccount = async (): Promise<void> => {
    const result = await call('POST', '/account/logout', {});
    // The request is in the address: the reloaded page leads to the login.
    if (result.ok || result.problem.status === 401) location.reload();
    else setProblem(result.problem);
  };
  const host = hostIn(request);
  const app = nameOf(Client);
  const isNamed = app !== Client.Name;
  const lead = isNamed
    ? text('consent.lead.named', { app, name: Client.Name, email: Email })
    : text('consent.lead', { app, email: Email });
  return (
    <Page
      title={text('consent.title', { app })}
      lead={Client.Host === undefined ? lead : emphasized(lead, Client.Host)}
    >
      <Fault problem={problem} />
      <ScopeList scopes={Scopes} outlives={Outlives} />
      {host !== undefined && <p class={styles['quiet']}>{text('consent.host', { host })}</p>}
      <div class={styles['buttons']}>
        <Button wide busy={isBusy} onClick={() => void decide('denied')}>
          {text('consent.deny')}
        </Button>
        <Button kind="primary" wide busy={isBusy || !isSettled} onClick={() => void decide('granted')}>
          {text('consent.grant')}
        </Button>
      </div>
      <p class={styles['quiet']}>{text('consent.withdraw')}</p>
      <SecondaryActions>
        <Button kind="text" onClick={() => void changeAccount()}>
          {text('consent.otherAccount')}
        </Button>
      </SecondaryActions>
    </Page>
  );
}

function emphasized(sentence: string, word: string): ComponentChildren {
  const at = sentence.indexOf(word);
  return [
    breakable(sentence.slice(0, at)),
    <strong key="word">{breakable(word)}</strong>,
    breakable(sentence.slice(at + word.length)),
  ];
}

/** The host that the app's answer goes to, if it is a website. The service has compared the whole address. */
function hostIn(request: string): string | undefined {
  const address = new URLSearchParams(request).get('redirect_uri') ?? '';
  return /^https?:/i.test(address) && URL.canParse(address) ? new URL(address).host : undefined;
}

/** Longer than the two clicks of a double click. */
const SETTLED_MS = 600;

/**
 * Whether the page has been in front of the visitor for long enough to be read. Another site may show this page under the
 * pointer between the two clicks of a double click, where no frame is needed.
 */
export function useSettled(): boolean {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const begin = (): void => {
      clearTimeout(timer);
      setSettled(false);
      if (document.visibilityState === 'visible') timer = setTimeout(() => setSettled(true), SETTLED_MS);
    };
    begin();
    addEventListener('focus', begin);
    document.addEventListener('visibilitychange', begin);
    return () => {
      clearTimeout(timer);
      removeEventListener('focus', begin);
      document.removeEventListener('visibilitychange', begin);
    };
  }, []);
  return isSettled;
}

/** What an app may do, in plain words. A scope of the installation's own is shown as it is called. */
export function ScopeList({
  scopes,
  outlives = false,
}: {
  scopes: readonly string[];
  outlives?: boolean | undefined;
}) {
  return (
    <ul class={styles['scopes']}>
      {scopes.map((scope) => {
        const known = Object.hasOwn(WORDS, scope) ? WORDS[scope] : undefined;
        const key = outlives && scope === 'offline_access' ? 'scope.offline_access.own' : known;
        return (
          <li key={scope} class={styles['scope']}>
            <CheckIcon />
            <span>{key === undefined ? text('scope.other', { scope }) : text(key)}</span>
          </li>
        );
      })}
    </ul>
  );
}

const WORDS: Readonly<Record<string, MessageKey>> = {
  openid: 'scope.openid',
  profile: 'scope.profile',
  email: 'scope.email',
  groups: 'scope.groups',
  offline_access: 'scope.offline_access',
};

interface ProveAgainStepProps {
  title: string;
  /** Why, with the address of the account. */
  lead: (email: string) => string;
  onProof: ProofAction;
  onCancel: () => void;
}

/** Has the owner of the session prove their identity again, because an app wants to be sure. The session stays the same. */
export function ProveAgainStep({ title, lead, onProof, onCancel }: ProveAgainStepProps) {
  const own = useProfile();
  return (
    <Page title={title} lead={lead(own.value?.Email ?? '…')}>
      <Loaded own={own}>
        {(profile) => <ProofStep profile={profile} lead={text('authorize.prove.lead')} onProof={onProof} />}
      </Loaded>
      <SecondaryActions>
        <Button kind="text" onClick={onCancel}>
          {text('form.cancel')}
        </Button>
      </SecondaryActions>
    </Page>
  );
}

interface RefusedPageProps {
  title: string;
  /** The reason (docs/openid.md). */
  code: string;
  children?: ComponentChildren;
}

/**
 * Says why an app's request cannot be answered. The visitor is not redirected, because the address in the request may be
 * an attacker's.
 */
export function RefusedPage({ title, code, children }: RefusedPageProps) {
  const reason = Object.hasOwn(REASONS, code) ? REASONS[code] : undefined;
  return (
    <Page title={title}>
      <Notice meaning="danger">{text(reason ?? 'authorize.refused.other')}</Notice>
      <p>{text('authorize.refused.what', { code })}</p>
      {children}
    </Page>
  );
}

const REASONS: Readonly<Record<string, MessageKey>> = {
  unknown_client: 'authorize.refused.client',
  redirect_uri_missing: 'authorize.refused.address',
  redirect_uri_mismatch: 'authorize.refused.address',
  invalid_id_token_hint: 'authorize.refused.hint',
};
