import { useLocation } from 'preact-iso';
import { useEffect, useRef, useState } from 'preact/hooks';
import { call, type Problem } from '../../ui/api.ts';
import { keptIn } from '../../ui/browser.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Field } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { text } from '../../ui/locale.ts';
import { Fault, Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { When } from '../../ui/time.tsx';
import { AGAIN } from '../login/credentials.tsx';
import { onTheWay, thisPage } from '../login/destination.ts';
import { useFragment, usePageState } from '../page-state.ts';
import { PATHS } from '../paths.ts';
import styles from './authorize.module.css';
import { ProveAgainStep, ScopeList, UnansweredPage, useSettled } from './authorize.tsx';

/** Signs in a device that has no browser, by the code on its screen or by the link of its QR code. */
export function DevicePage() {
  const { answer, problem, send, type } = useDevice();
  switch (answer?.Kind) {
    case 'Code':
      return <CodeStep problem={problem} onCode={type} />;
    case 'Prove':
      return (
        <ProveAgainStep
          title={text('device.title')}
          lead={(email) => text('device.prove', { app: answer.Client.Name, email })}
          onProof={send}
          onCancel={() => void send({ Answer: 'denied' })}
        />
      );
    case 'Ask':
      return <AskStep key={answer.ConsentTo} asked={answer} onDecide={send} />;
    case 'LoginAgain':
      return (
        <Page title={text('device.title')} lead={text('device.handedOver')}>
          <ButtonLink href={onTheWay(PATHS.login, AGAIN_HERE)} kind="primary" wide>
            {text('login.title')}
          </ButtonLink>
        </Page>
      );
    case 'Approved':
    case 'Denied':
    case 'Refused': {
      const { Name: app } = answer.Client;
      const words = `device.${answer.Kind}` as const;
      return (
        <Page title={text(`${words}.title`)} lead={text(`${words}.lead`, { app })}>
          <ButtonLink href={PATHS.profileApps} wide>
            {text('device.apps')}
          </ButtonLink>
        </Page>
      );
    }
    default:
      return <UnansweredPage title={text('device.title')} problem={problem} onAgain={send} />;
  }
}

/** A login that opens a session of this browser's own. */
const AGAIN_HERE = { returnUrl: PATHS.device, [AGAIN]: '' };

/** The response of `POST /oauth/device`. */
type Answer =
  | { Kind: 'Login' | 'LoginAgain' | 'Code' }
  | { Kind: 'Prove' | 'Refused' | 'Approved' | 'Denied'; Client: { Name: string } }
  | Question;

interface Question {
  Kind: 'Ask';
  Client: { Name: string };
  Email: string;
  Scopes: string[];
  Outlives?: boolean;
  StartedAt: string;
  AddressGroup: string;
  IsSameNetwork: boolean;
  /** After a link: one of them is on the screen of the device. */
  Choices?: string[];
  ConsentTo: string;
}

/** The code that somebody has typed or followed, in this tab, also on the way to a login and back. */
interface Code {
  UserCode?: string;
  LinkCode?: string;
}

const KEPT = keptIn<Code>('sessionStorage', 'gatehouse-device');

/** Asks the service about a code, and follows its answers: to the login, to the question, to the end. */
function useDevice() {
  const { route } = useLocation();
  const { Code: linked } = useFragment();
  const { forgetFragment } = usePageState();
  const code = useRef<Code>(KEPT.find());
  const [answer, setAnswer] = useState<Answer>();
  const [problem, setProblem] = useState<Problem>();
  const ask = async (more: object): Promise<Problem | undefined> => {
    const result = await call<Answer>('POST', '/oauth/device', { ...code.current, ...more });
    if (!result.ok) {
      // The next one is typed.
      if (result.problem.code === 'invalid_code') setCode({});
      return result.problem;
    }
    setProblem(undefined);
    const { Kind } = result.value;
    if (Kind === 'Approved' || Kind === 'Denied' || Kind === 'Refused') setCode({});
    else KEPT.keep(code.current);
    if (Kind === 'Login') route(onTheWay(PATHS.login, { returnUrl: thisPage() }), true);
    else setAnswer(result.value);
    return undefined;
  };
  const setCode = (next: Code): void => {
    code.current = next;
    KEPT.keep(next);
  };
  /** Sends the code that is known, which may have expired since; then another one is typed. */
  const send = async (more: object = {}): Promise<Problem | undefined> => {
    const refusal = await ask(more);
    setProblem(refusal);
    if (refusal?.code === 'invalid_code') setAnswer({ Kind: 'Code' });
    return refusal;
  };
  useEffect(() => {
    if (linked === undefined) return void send();
    setCode({ LinkCode: linked });
    forgetFragment();
  }, [linked]);
  const type = (UserCode: string): Promise<Problem | undefined> => {
    code.current = { UserCode };
    return ask({});
  };
  return { answer, problem, send, type };
}

interface CodeStepProps {
  /** What was wrong with the code before. */
  problem: Problem | undefined;
  onCode: (code: string) => Promise<Problem | undefined>;
}

function CodeStep({ problem, onCode }: CodeStepProps) {
  return (
    <Page title={text('device.title')} lead={text('device.lead')}>
      {problem && <Notice meaning="danger">{text('device.gone')}</Notice>}
      <Form
        submit={text('device.submit')}
        at={{ invalid_code: 'UserCode' }}
        explanations={{ invalid_code: 'device.gone' }}
        onSubmit={({ UserCode = '' }) => onCode(UserCode)}
      >
        <Field name="UserCode" label={text('device.code')} code autocomplete="off" required autofocus />
      </Form>
    </Page>
  );
}

interface AskStepProps {
  asked: Question;
  onDecide: (decision: object) => Promise<Problem | undefined>;
}

/** Asks whether the device may have what it asks for; after a link, by the choice of the code on its screen. */
function AskStep({ asked, onDecide }: AskStepProps) {
  const isSettled = useSettled();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const { Client, Email, Scopes, Outlives, StartedAt, AddressGroup, IsSameNetwork, Choices, ConsentTo } =
    asked;
  const decide = async (Answer: 'granted' | 'denied', Choice?: string): Promise<void> => {
    setBusy(true);
    setProblem(await onDecide({ Answer, ConsentTo, Choice }));
    setBusy(false);
  };
  const deny = (
    <Button wide busy={isBusy} onClick={() => void decide('denied')}>
      {text(Choices ? 'device.none' : 'device.deny')}
    </Button>
  );
  return (
    <Page
      title={text('consent.title', { app: Client.Name })}
      lead={text('device.ask', { app: Client.Name, email: Email })}
    >
      <Fault problem={problem} />
      <ScopeList scopes={Scopes} outlives={Outlives} />
      <p class={styles['quiet']}>
        <When words="device.started" at={StartedAt} /> ·{' '}
        {IsSameNetwork ? text('device.same') : text('device.other', { from: AddressGroup })}
      </p>
      <p>
        <strong>{text(Choices ? 'device.choose' : 'device.warning')}</strong>
      </p>
      {Choices ? (
        <>
          {Choices.map((choice) => (
            <Button
              key={choice}
              wide
              busy={isBusy || !isSettled}
              onClick={() => void decide('granted', choice)}
            >
              <code>{choice}</code>
            </Button>
          ))}
          {deny}
        </>
      ) : (
        <div class={styles['buttons']}>
          {deny}
          <Button kind="primary" wide busy={isBusy || !isSettled} onClick={() => void decide('granted')}>
            {text('consent.grant')}
          </Button>
        </div>
      )}
      <p class={styles['quiet']}>{text('consent.withdraw')}</p>
    </Page>
  );
}
