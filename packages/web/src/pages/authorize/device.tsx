import type { DeviceAnswer } from 'gatehouse-client';
import { useEffect, useRef } from 'preact/hooks';
import type { Problem } from '../../ui/api.ts';
import { keptIn } from '../../ui/browser.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { CodeField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { text } from '../../ui/locale.ts';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { When } from '../../ui/time.tsx';
import { DonePage } from '../link-page.tsx';
import { AGAIN, onTheWay, PATHS, thisPage, usePage } from '../page.ts';
import styles from './authorize.module.css';
import { ConsentPage, type OfKind, ProveAgainStep, UnansweredPage, useAnswers } from './authorize.tsx';

/** Signs in a device that has no browser, by the code on its screen or by the link of its QR code. */
export function DevicePage() {
  const { answer, problem, send, type } = useDevice();
  switch (answer?.Kind) {
    case 'Code':
      return <CodeStep problem={problem} type={type} />;
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
      return <AskStep key={answer.ConsentTo} asked={answer} problem={problem} send={send} />;
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
    case 'Refused':
      return (
        <DonePage
          words={`device.${answer.Kind}`}
          values={{ app: answer.Client.Name }}
          href={PATHS.profileApps}
          next={text('device.apps')}
          kind="quiet"
        />
      );
    default:
      return <UnansweredPage title={text('device.title')} problem={problem} onAgain={send} />;
  }
}

/** A login that opens a session of this browser's own. */
const AGAIN_HERE = { returnUrl: PATHS.device, [AGAIN]: '' };

type Answer =
  | OfKind<DeviceAnswer, 'Login' | 'LoginAgain' | 'Code'>
  | OfKind<DeviceAnswer, 'Prove' | 'Refused' | 'Approved' | 'Denied', 'Client'>
  | Question;

type Question = OfKind<
  DeviceAnswer,
  'Ask',
  'Client' | 'Email' | 'Scopes' | 'StartedAt' | 'AddressGroup' | 'ConsentTo'
>;

/** The code that somebody has typed or followed, in this tab, also on the way to a login and back. */
interface Code {
  UserCode?: string;
  LinkCode?: string;
}

const KEPT = keptIn<Code>('sessionStorage', 'gatehouse-device');

/** Asks the service about a code, and follows its answers: to the login, to the question, to the end. */
function useDevice() {
  const { route, said, forgetFragment } = usePage();
  const { Code: linked } = said;
  const code = useRef<Code>(KEPT.find());
  const answers = useAnswers('POST /oauth/device', ({ Kind }: Answer) => {
    if (Kind === 'Approved' || Kind === 'Denied' || Kind === 'Refused') setCode({});
    else KEPT.keep(code.current);
    if (Kind === 'Login') route(onTheWay(PATHS.login, { returnUrl: thisPage() }), true);
    return Kind !== 'Login';
  });
  const setCode = (next: Code): void => {
    code.current = next;
    KEPT.keep(next);
  };
  /** Sends the code that is known, which may have expired since; then another one is typed. */
  const send = async (more: object = {}): Promise<Problem | undefined> => {
    const refusal = await answers.send({ ...code.current, ...more });
    if (refusal?.code !== 'invalid_code') return refusal;
    setCode({});
    answers.setAnswer({ Kind: 'Code' });
    return refusal;
  };
  useEffect(() => {
    if (linked === undefined) return void send();
    setCode({ LinkCode: linked });
    forgetFragment();
  }, [linked]);
  const type = (UserCode: string): Promise<Problem | undefined> => {
    code.current = { UserCode };
    return answers.ask(code.current);
  };
  return { ...answers, send, type };
}

type Device = ReturnType<typeof useDevice>;

/** @param problem what was wrong with the code before. */
function CodeStep({ problem, type }: Pick<Device, 'problem' | 'type'>) {
  return (
    <Page title={text('device.title')} lead={text('device.lead')}>
      {problem && <Notice meaning="danger">{text('device.gone')}</Notice>}
      <Form
        submit={text('device.submit')}
        at={{ invalid_code: 'UserCode' }}
        explanations={{ invalid_code: 'device.gone' }}
        onSubmit={({ UserCode = '' }) => type(UserCode)}
      >
        <CodeField name="UserCode" label={text('device.code')} autocomplete="off" autofocus />
      </Form>
    </Page>
  );
}

/** Asks whether the device may have what it asks for; after a link, by the choice of the code on its screen. */
function AskStep({ asked, problem, send }: { asked: Question } & Pick<Device, 'problem' | 'send'>) {
  const { Client, Email: email, StartedAt, AddressGroup: from, IsSameNetwork, Choices, ConsentTo } = asked;
  return (
    <ConsentPage
      app={Client.Name}
      lead={text('device.ask', { app: Client.Name, email })}
      asked={asked}
      problem={problem}
      denial={Choices ? 'device.none' : 'device.deny'}
      onDecide={(Answer, Choice) => send({ Answer, ConsentTo, Choice })}
    >
      <p class={styles['quiet']}>
        <When words="device.started" at={StartedAt} /> ·{' '}
        {IsSameNetwork ? text('device.same') : text('device.other', { from })}
      </p>
      <p>
        <strong>{text(Choices ? 'device.choose' : 'device.warning')}</strong>
      </p>
    </ConsentPage>
  );
}
