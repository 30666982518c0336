import type { Authorization, EndSessionResponse } from 'gatehouse-client';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { call, change, NOT_LOADED, type Operation, type Problem } from '../../ui/api.ts';
import { isAddress } from '../../ui/browser.ts';
import { Button, ButtonLink, TextButton } from '../../ui/button.tsx';
import { type MessageKey, text } from '../../ui/locale.ts';
import { Fault, Notice } from '../../ui/notice.tsx';
import { breakable, Page, type PageProps } from '../../ui/page.tsx';
import { Loading, useProfile, WithAccount } from '../account/own-account.tsx';
import { type ProofAction, ProofStep } from '../account/proof.tsx';
import { DonePage } from '../link-page.tsx';
import { keepAuthorization, keptAuthorization } from '../login/kept.ts';
import { onTheWay, PATHS, thisPage, usePage } from '../page.ts';
import { ScopeList } from './apps.tsx';
import styles from './authorize.module.css';

/** Signs the visitor in to an app (OpenID Connect). The request of the app stays in the address of this page. */
export function AuthorizePage() {
  const { answer, ...authorization } = useAuthorization();
  const { problem, send } = authorization;
  switch (answer?.Kind) {
    case 'Consent':
      return <ConsentStep {...authorization} asked={answer} />;
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
          words="signedIn"
          lead={text('authorize.redirect.lead')}
          href={answer.Location}
          next={text('signedIn.continue')}
        />
      );
    case 'Post':
      return <PostStep answer={answer} />;
    case undefined:
      return <UnansweredPage title={text('authorize.title')} problem={problem} onAgain={send} />;
  }
}

/** What the API answers, of one kind, with the fields that this kind always has. */
export type OfKind<A extends { Kind: string }, K extends A['Kind'], F extends keyof A = never> = A &
  Required<Pick<A, F>> & { Kind: K };

type Consent = OfKind<Authorization, 'Consent', 'Client' | 'Scopes' | 'Email' | 'ConsentTo' | 'Since'>;
type Posting = OfKind<Authorization, 'Post', 'Location' | 'Fields'>;

type Answer =
  | OfKind<Authorization, 'Redirect', 'Location'>
  | OfKind<Authorization, 'Login', 'Client' | 'Since'>
  | OfKind<Authorization, 'Refused', 'Code'>
  | Consent
  | Posting;

/** Sends the request in this page's address to the service, and follows the answer: to the login and back here, or to the app. */
function useAuthorization() {
  const { route, set } = usePage();
  // Unchanged, because the service compares it; absent while the page is rendered at build time.
  const [request] = useState(() => globalThis.location.search.slice(1));
  const answers = useAnswers('POST /oauth/authorization', (next: Answer) => {
    if (next.Kind === 'Login' || next.Kind === 'Consent')
      keepAuthorization({ request, since: next.Since, app: nameOf(next.Client) });
    if (next.Kind !== 'Login' || next.Prompt !== undefined) {
      if (next.Kind === 'Redirect') location.replace(next.Location);
      return true;
    }
    if (next.LoginHint !== undefined && isAddress(next.LoginHint)) set({ email: next.LoginHint });
    route(onTheWay(PATHS.login, { returnUrl: thisPage(), sessionTag: next.SessionTag }), true);
    return false;
  });
  /** Sends the request with the visitor's consent, or with a proof of identity. Returns the error, if there is one. */
  const send = (more: object = {}) =>
    answers.send({ Request: request, Since: keptAuthorization(request).since, ...more });
  useEffect(() => {
    // Only the policy of this page lets its answer be posted to the app, not that of the login page.
    const isPosted = new URLSearchParams(request).get('response_mode') === 'form_post';
    if (isPosted && location.href !== LOADED_AT) location.reload();
    else void send();
  }, []);
  return { ...answers, request, send };
}

/** Asks the service what to do about an app's request. `follow` is told the answer, and returns whether to show it. */
export function useAnswers<A>(operation: Operation, follow: (answer: A) => boolean) {
  const [answer, setAnswer] = useState<A>();
  const [problem, setProblem] = useState<Problem>();
  /** Returns the error, if there is one, for the form that shows it. */
  const ask = (body: object): Promise<Problem | undefined> =>
    change(operation, body, (next: A) => {
      setProblem(undefined);
      if (follow(next)) setAnswer(next);
    });
  const send = async (body: object): Promise<Problem | undefined> => {
    const found = await ask(body);
    setProblem(found);
    return found;
  };
  return { answer, setAnswer, problem, setProblem, ask, send };
}

/** The address that the document was loaded from; absent while the page is rendered at build time. */
const LOADED_AT = globalThis.location?.href;

/** What is known of an app for certain; with a host, the name is what its own document says. */
function nameOf({ Name, Host }: Consent['Client']): string {
  return Host ?? Name;
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

/** Posts the answer to the app at once; with a button, in case that the browser does not. */
function PostStep({ answer }: { answer: Posting }) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.submit(), []);
  return (
    <Page title={text('signedIn.title')} lead={text('authorize.redirect.lead')}>
      <form method="post" action={answer.Location} ref={form}>
        {Object.entries<string>({ ...answer.Fields }).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Button type="submit" kind="primary" wide>
          {text('signedIn.continue')}
        </Button>
      </form>
    </Page>
  );
}

type ConsentStepProps = Omit<ReturnType<typeof useAuthorization>, 'answer'> & { asked: Consent };

function ConsentStep({ asked, request, problem, setProblem, send }: ConsentStepProps) {
  const { Client, Email: email, ConsentTo } = asked;
  const changeAccount = async (): Promise<void> => {
    const result = await call('POST /account/logout', {});
    // The request is in the address: the reloaded page leads to the login.
    if (result.ok || result.problem.status === 401) location.reload();
    else setProblem(result.problem);
  };
  const host = hostIn(request);
  const app = nameOf(Client);
  const words = app === Client.Name ? 'consent.lead' : 'consent.lead.named';
  const lead = text(words, { app, name: Client.Name, email });
  return (
    <ConsentPage
      app={app}
      lead={Client.Host === undefined ? lead : emphasized(lead, Client.Host)}
      asked={asked}
      problem={problem}
      onDecide={(Consent) => send({ Consent, ConsentTo })}
      ways={<TextButton words={text('consent.otherAccount')} onPress={() => void changeAccount()} />}
    >
      {host !== undefined && <p class={styles['quiet']}>{text('consent.host', { host })}</p>}
    </ConsentPage>
  );
}

interface ConsentPageProps extends Pick<PageProps, 'lead' | 'children' | 'ways'> {
  app: string;
  /** `Choices`: each is a way to agree, and one of them is right. */
  asked: { Scopes: readonly string[]; Outlives?: boolean; Choices?: readonly string[] };
  problem: Problem | undefined;
  onDecide: (decision: 'granted' | 'denied', choice?: string) => Promise<unknown>;
  denial?: MessageKey;
}

export function ConsentPage(props: ConsentPageProps) {
  const { app, lead, asked, problem, onDecide, denial = 'consent.deny', children, ways } = props;
  const isSettled = useSettled();
  const [isBusy, setBusy] = useState(false);
  const decide = async (...decision: Parameters<typeof onDecide>): Promise<void> => {
    setBusy(true);
    await onDecide(...decision);
    setBusy(false);
  };
  const deny = (
    <Button wide busy={isBusy} onClick={() => void decide('denied')}>
      {text(denial)}
    </Button>
  );
  const waits = isBusy || !isSettled;
  return (
    <Page title={text('consent.title', { app })} lead={lead} ways={ways}>
      <Fault problem={problem} />
      <ScopeList scopes={asked.Scopes} outlives={asked.Outlives === true} />
      {children}
      {asked.Choices ? (
        <>
          {asked.Choices.map((choice) => (
            <Button key={choice} wide busy={waits} onClick={() => void decide('granted', choice)}>
              <code>{choice}</code>
            </Button>
          ))}
          {deny}
        </>
      ) : (
        <div class={styles['buttons']}>
          {deny}
          <Button kind="primary" wide busy={waits} onClick={() => void decide('granted')}>
            {text('consent.grant')}
          </Button>
        </div>
      )}
      <p class={styles['quiet']}>{text('consent.withdraw')}</p>
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

/** Whether the page was seen for long enough: another site may show it, without a frame, between the clicks of a double click. */
function useSettled(): boolean {
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

interface ProveAgainStepProps {
  title: string;
  lead: (email: string) => string;
  onProof: ProofAction;
  onCancel: () => void;
}

/** Has the owner of the session prove their identity again, because an app wants to be sure. The session stays the same. */
export function ProveAgainStep({ title, lead, onProof, onCancel }: ProveAgainStepProps) {
  const own = useProfile();
  return (
    <Page
      title={title}
      lead={lead(own.value?.Email ?? '…')}
      ways={<TextButton words={text('form.cancel')} onPress={onCancel} />}
    >
      <WithAccount own={own}>
        <ProofStep lead={text('authorize.prove.lead')} onProof={onProof} />
      </WithAccount>
    </Page>
  );
}

/** Says why an app's request fails (docs/openid.md). It redirects nobody: the address in it may be an attacker's. */
function RefusedPage({ title, code, children }: Pick<PageProps, 'title' | 'children'> & { code: string }) {
  return (
    <Page title={title}>
      <Notice meaning="danger">{text(REASONS.get(code) ?? 'authorize.refused.other')}</Notice>
      <p>{text('authorize.refused.what', { code })}</p>
      {children}
    </Page>
  );
}

const REASONS = new Map<string, MessageKey>([
  ['unknown_client', 'authorize.refused.client'],
  ['redirect_uri_missing', 'authorize.refused.address'],
  ['redirect_uri_mismatch', 'authorize.refused.address'],
  ['invalid_id_token_hint', 'authorize.refused.hint'],
]);

/** Signs out at the request of an app (OpenID Connect RP-Initiated Logout), and returns to it. */
export function EndSessionPage() {
  const { answer, problem, send } = useAnswers('POST /oauth/end-session', (next: EndSessionResponse) => {
    if (next.Kind === 'SignedOut' && next.Location !== undefined) location.replace(next.Location);
    return true;
  });
  const request = () => location.search.slice(1);
  const begin = () => send({ Request: request() });
  useEffect(() => void begin(), []);
  const app = answer?.Client?.Name;
  const fault = <Fault problem={problem} explanations={NOT_LOADED} />;
  switch (answer?.Kind) {
    case 'Ask':
      return (
        <Page
          title={text('endSession.title')}
          lead={app === undefined ? text('endSession.ask') : text('endSession.ask.app', { app })}
        >
          {fault}
          <Button kind="primary" wide onClick={() => send({ Request: request(), Confirmed: true })}>
            {text('menu.signOut')}
          </Button>
          <ButtonLink href={PATHS.profile} wide>
            {text('endSession.stay')}
          </ButtonLink>
        </Page>
      );
    case 'SignedOut':
      return (
        <DonePage
          words="endSession.done"
          href={answer.Location ?? PATHS.login}
          next={text(answer.Location === undefined ? 'login.title' : 'signedIn.continue')}
        />
      );
    case 'Refused':
      return (
        <RefusedPage title={text('endSession.refused')} code={answer.Code ?? ''}>
          {fault}
          {/* Without the request, which is not correct. */}
          <Button wide onClick={() => send({ Request: '', Confirmed: true })}>
            {text('endSession.anyway')}
          </Button>
        </RefusedPage>
      );
    case undefined:
      return <UnansweredPage title={text('endSession.title')} problem={problem} onAgain={begin} />;
  }
}
