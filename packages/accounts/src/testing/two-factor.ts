import { base32Bytes, totpCode } from '@gatehouse/auth-core/testing';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { accounts, inTransaction, twoFactor } from '@gatehouse/db';
import { enableTwoFactor, findStep, newSecret } from '../two-factor/second-factor.ts';
import type { TestAccounts } from './open-test-accounts.ts';

const STEP_MS = 30_000;

/** An authenticator app that uses the clock of the tests; each time step allows one more code. */
export function authenticator(app: Pick<TestAccounts, 'clock'>, secret: string) {
  /** The code of the current time step, or of one this number of steps away. */
  const bytes = base32Bytes(secret);
  const codeAt = (steps = 0) => totpCode(bytes, app.clock.now() + steps * STEP_MS);
  return {
    secret: bytes,
    codeAt,
    /** The code of the next time step; moves the clock there. */
    nextCode: (): string => {
      moveClock(app, STEP_MS);
      return codeAt();
    },
    /** Six digits that are not the code of any adjacent time step. */
    wrongCode: (): string => {
      const codes = [-2, -1, 0, 1, 2].map(codeAt);
      return (
        ['000000', '111111', '222222', '333333', '444444', '555555'].find((one) => !codes.includes(one)) ?? ''
      );
    },
  };
}

/** Stops the clock of the tests, at this distance from now. */
export function moveClock(app: Pick<TestAccounts, 'clock'>, byMs: number): void {
  const now = app.clock.now() + byMs;
  app.clock.now = () => now;
}

/** Enables two-factor authentication for an account as its owner would, but leaves its sessions. */
export async function switchOnTwoFactor(app: TestAccounts, accountId: string) {
  const account = await accounts.findById(app.db, accountId);
  if (account === undefined) throw new Error('there is no such account');
  const { passwordVersion } = account;
  const { setup, secretSealed } = newSecret(app, account);
  const phone = authenticator(app, setup.Secret);
  const step = findStep(app, accountId, secretSealed, phone.nextCode()) ?? 0;
  const recoveryCodes = await inTransaction(app.db, NO_DEADLINE, async (tx) => {
    const isBegun = await twoFactor.begin(tx, accountId, secretSealed, passwordVersion);
    return isBegun
      ? enableTwoFactor(app, tx, account, { secretSealed, step }, { traceId: '0', ...NO_DEADLINE })
      : undefined;
  });
  if (recoveryCodes === undefined) throw new Error('two-factor is on');
  return { ...phone, recoveryCodes };
}
