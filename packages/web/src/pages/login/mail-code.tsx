import { useEffect } from 'preact/hooks';
import { post } from '../../ui/api.ts';
import { TextButton } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { text } from '../../ui/locale.ts';
import { Page } from '../../ui/page.tsx';
import { useFragment, usePageState } from '../page-state.ts';
import { EmailField, MailedCodeField } from '../parts.tsx';
import { forgetRequest, keepRequest, keptRequest, linkedCode } from './kept.ts';
import styles from './mail-code.module.css';
import type { Login, Step, StepProps } from './steps.ts';

/** The step that a mail's link opens, which changes nothing. In a tab that shows this page already, the link calls `go`. */
export function useLinkedStep(go: Login['go']): Step | undefined {
  const { Code } = useFragment();
  useEffect(() => {
    const linked = stepOfLink(Code);
    if (linked !== undefined) go(linked);
  }, [Code]);
  return stepOfLink(Code);
}

function stepOfLink(linked: string | undefined): Step | undefined {
  const code = linkedCode(linked);
  if (code === undefined) return undefined;
  const request = keptRequest();
  return request === undefined ? { kind: 'elsewhere', code } : { kind: 'mail-code', request, code };
}

/** The result looks the same whether or not the address has an account. */
export function EmailStep({ login: { go, again } }: StepProps<'email'>) {
  const { set } = usePageState();
  return (
    <Page
      title={text('login.email.title')}
      lead={text('login.email.lead')}
      ways={<TextButton words={text('login.email.others')} onPress={again} />}
    >
      <Form
        submit={text('login.email')}
        onSubmit={async ({ Email = '' }) => {
          set({ email: Email });
          return post('/account/login/email', { Email }, (answer: { RequestToken: string }) => {
            const request = { Email, ...answer, search: location.search };
            keepRequest(request);
            go({ kind: 'mail-code', request });
          });
        }}
      >
        <EmailField autofocus />
      </Form>
    </Page>
  );
}

/** Signs in with the code of the mail: with one press if its link was opened in the browser that asked. */
export function MailCodeStep({ step: { request, code }, login }: StepProps<'mail-code'>) {
  const { Email: Username, RequestToken } = request;
  const isLinked = code !== undefined;
  return (
    <Page
      title={text(isLinked ? 'login.title' : 'login.mailCode.title')}
      lead={text(isLinked ? 'login.mailCode.linked' : 'login.mailCode.lead', { email: Username })}
      ways={
        <>
          <TextButton words={text('login.mailCode.again')} onPress={() => login.go({ kind: 'email' })} />
          <TextButton words={text('login.email.others')} onPress={login.again} />
        </>
      }
    >
      <Form
        key={code}
        submit={text('login.submit')}
        explanations={{ authentication_failed: 'login.mailCode.failed' }}
        onSubmit={({ MailCode = code }) =>
          login.send({ Username, MailCode, RequestToken, SessionTag: login.back.sessionTag }, forgetRequest)
        }
      >
        {!isLinked && <MailedCodeField name="MailCode" autofocus />}
        <Checkbox name="KeepSignedIn" onChange={login.setKeep}>
          {text('login.keep')}
        </Checkbox>
      </Form>
    </Page>
  );
}

/** Shows the code of a link that was opened in another browser than the one that asked, to be typed there. */
export function ElsewhereStep({ step: { code }, login }: StepProps<'elsewhere'>) {
  return (
    <Page
      title={text('login.elsewhere.title')}
      lead={text('login.elsewhere.lead')}
      ways={<TextButton words={text('login.elsewhere.here')} onPress={login.again} />}
    >
      <ShownCode code={code} />
    </Page>
  );
}

/** A mailed code, large, to be typed in another browser. */
export function ShownCode({ code }: { code: string }) {
  return <p class={styles['code']}>{code}</p>;
}
