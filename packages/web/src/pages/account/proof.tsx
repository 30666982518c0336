import { useState } from 'preact/hooks';
import { answerChallenge, canUsePasskeys } from '../../sign-in/passkey.ts';
import { PasskeyButton } from '../../sign-in/passkey-button.tsx';
import { call, type Change, type Explanations, type Problem } from '../../ui/api.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { CodeField, PasswordField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { type MessageKey, text } from '../../ui/locale.ts';
import { Fault } from '../../ui/notice.tsx';
import { Or, Step } from '../../ui/page.tsx';
import { Row, type RowProps } from '../../ui/row.tsx';
import { hasEmailLogin, useAccountOptions } from '../account-options.ts';
import { AGAIN, onTheWay, PATHS, thisPage } from '../page.ts';
import { MailedCodeField, ProviderButtons } from '../parts.tsx';
import { useAccount, useOwn, useOwnCall } from './own-account.tsx';

/** An action that may require proof of identity. Called with the proof, or with an empty object to try without. */
export type ProofAction = (proof: object) => Promise<Problem | undefined>;

/**
 * The state of a row whose actions may require a recent proof of identity, or a code from a mail. An action is tried
 * without them first, and again with what it requires: `asked` continues with a proof, `mailed` with a code that has been
 * mailed.
 */
export function useProven() {
  const ownCall = useOwnCall();
  const [isOpen, setOpen] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [step, setStep] = useState<{ kind: 'proof' | 'mail-code'; go: ProofAction }>();
  /** Returns the error, for the form that has started or proven the action. */
  const run = async (action: ProofAction, proof: object = {}): Promise<Problem | undefined> => {
    const refusal = await action(proof);
    if (refusal === undefined) setStep(undefined);
    if (refusal?.code === 'confirmation_required')
      setStep({ kind: 'proof', go: (shown) => prove(action, shown) });
    if (refusal?.code !== 'mail_code_required') return refusal;
    setStep({ kind: 'mail-code', go: (shown) => prove(action, { ...proof, ...shown }) });
    return undefined;
  };
  const prove = async (action: ProofAction, proof: object): Promise<Problem | undefined> => {
    const refusal = await run(action, proof);
    // An error that another proof would not fix is shown where the action was started.
    if (refusal?.code !== 'conflict') return refusal;
    setStep(undefined);
    setProblem(refusal);
    return undefined;
  };
  const send = (...[operation, body, onDone]: Change) =>
    run((proof) => ownCall(operation, { ...proof, ...body }, onDone));
  /** Shows the error of what a button has started as `problem`. */
  const attempt = async (started: Promise<Problem | undefined>): Promise<void> => {
    setProblem(undefined);
    const refusal = await started;
    setProblem(refusal?.code === 'confirmation_required' ? undefined : refusal);
  };
  return {
    problem,
    asked: step?.kind === 'proof' ? step.go : undefined,
    mailed: step?.kind === 'mail-code' ? step.go : undefined,
    /** Makes a change that a form asks for, and returns the error. */
    send,
    /** Makes a change that a button asks for. */
    press: (...asked: Change) => attempt(send(...asked)),
    attempt: (action: ProofAction) => attempt(run(action)),
    isOpen,
    open: () => setOpen(true),
    close: () => setOpen(false),
    cancel: () => {
      setProblem(undefined);
      setStep(undefined);
      setOpen(false);
    },
  };
}

interface ProvenRowProps extends Omit<RowProps, 'onCancel'> {
  proven: ReturnType<typeof useProven>;
  /** Why it is asked for. */
  proof?: MessageKey;
  explanations?: Explanations;
}

/** A row, by default one to change, whose form makes way for what its action requires, and that says what went wrong. */
export function ProvenRow(props: ProvenRowProps) {
  const { proven, proof = 'security.proof', explanations, notice, lead, children, ...row } = props;
  const { problem, asked, mailed, isOpen, open } = proven;
  const isFurther = asked !== undefined || mailed !== undefined;
  return (
    <Row
      action={{ words: text('row.change'), onPress: open }}
      {...row}
      onCancel={proven.cancel}
      notice={problem ? <Fault problem={problem} explanations={explanations} /> : notice}
      lead={!isFurther && lead}
    >
      {mailed && <MailCodeStep onCode={mailed} />}
      {asked && <ProofStep lead={text(proof)} onProof={asked} />}
      {!isFurther && isOpen && children}
    </Row>
  );
}

/** Asks the user to prove their identity again: by code, password, passkey or sign-on, whichever the account has. */
export function ProofStep({ lead, onProof }: { lead: string; onProof: ProofAction }) {
  const { profile } = useAccount();
  const passkeys = useOwn<{ Items: unknown[] }>('/account/passkey').value?.Items;
  const canType = profile.TwoFactorEnabled || profile.HasPassword;
  return (
    <Step title={text('proof.title')} lead={lead}>
      {(canType || passkeys?.length === 0) && <OwnerProof onProof={onProof} />}
      {passkeys !== undefined && passkeys.length > 0 && canUsePasskeys() && (
        <>
          {canType && <Or />}
          <PasskeyButton
            label={text('proof.passkey')}
            failed={text('proof.passkey.failed')}
            onPress={() => answerChallenge(call('POST /account/passkey/confirmation'), onProof)}
          />
        </>
      )}
    </Step>
  );
}

/** Asks the owner to prove their identity again: by the second factor, if there is one; without a password, by another login. */
export function OwnerProof({ onProof }: { onProof: ProofAction }) {
  const { profile } = useAccount();
  if (!profile.TwoFactorEnabled && !profile.HasPassword) return <SignOnProof role={profile.Role} />;
  return (
    <Form
      submit={text('passkey.continue')}
      explanations={{ confirmation_required: 'proof.passkey.needed' }}
      at={{ wrong_password: 'Password', wrong_code: 'TwoFactorCode' }}
      onSubmit={onProof}
    >
      {profile.TwoFactorEnabled ? (
        <CodeField label={text('field.code')} />
      ) : (
        <PasswordField purpose="current" />
      )}
    </Form>
  );
}

/** Without a password, a sign-on at which the provider asks again or a login by mail is a proof, for five minutes. */
function SignOnProof({ role }: { role: string }) {
  const options = useAccountOptions();
  const isByEmail = hasEmailLogin(options, role);
  const again = { returnUrl: thisPage(), [AGAIN]: '' };
  return (
    <>
      <p>{text(isByEmail ? 'proof.signInByEmail' : 'proof.signIn')}</p>
      {isByEmail && (
        <ButtonLink href={onTheWay(PATHS.login, again)} wide>
          {text('login.submit')}
        </ButtonLink>
      )}
      <ProviderButtons options={options} back={{ returnUrl: thisPage() }} isFresh />
    </>
  );
}

/** Asks for the code that was mailed to the present address, before a change of what opens the account. */
export function MailCodeStep({ onCode }: { onCode: ProofAction }) {
  const { Email: email } = useAccount().profile;
  return (
    <Step title={text('proof.title')} lead={text('proof.mailCode', { email })}>
      <Form
        submit={text('proof.mailCode.submit')}
        at={{ invalid_code: 'MailCode' }}
        onSubmit={({ MailCode = '' }) => onCode({ MailCode })}
      >
        <MailedCodeField name="MailCode" />
      </Form>
    </Step>
  );
}
