import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { PASSWORD } from '../../../e2e/src/testing/index.ts';
import { everyAccount, everyDeadLink, type Subjects } from './every-class.ts';
import type { HttpAnswer, Target } from '../target.ts';
import { differenceOf } from './timing.ts';

/** A call with which an attacker may ask about an account or a link, with its body. */
interface Question {
  path: string;
  body: (subject: string) => object;
  /** The classes that are compared, because the call could distinguish them; all by default. */
  among?: readonly string[];
  /** The response for every class of subject. */
  answer: [number, string | undefined];
  /** How many blocks of samples are taken at once; `BESIDE_LOGINS` by default. */
  blocksAtOnce?: number;
}

/** Two cores handle this many blocks of other calls besides those of logins without queueing (`differenceOf`). */
const BESIDE_LOGINS = 3;

/** It takes by far the longest, and mostly waits: it is measured while the other calls are. */
const LOGIN: Question = {
  path: '/account/login',
  body: (Username) => ({ Username, Password: 'a wrong password' }),
  answer: [404, 'authentication_failed'],
  blocksAtOnce: 4,
};

/** Calls that mail the owner of an account, or expect what was mailed. */
const ABOUT_MAILS: Question[] = [
  { path: '/account/forgot-password', body: (Email) => ({ Email }), answer: [200, undefined] },
  { path: '/account/resend-verification', body: (Email) => ({ Email }), answer: [200, undefined] },
  { path: '/account/resend-invitation', body: (Email) => ({ Email }), answer: [200, undefined] },
  {
    path: '/account/reset-password',
    body: (Email) => ({ Email, Code: 'AAAA-AAAA', Password: 'another long password' }),
    answer: [400, 'invalid_code'],
  },
  { path: '/account/verify', body: (Email) => ({ Email, Code: 'AAAA-AAAA' }), answer: [400, 'invalid_code'] },
  {
    path: '/account/code',
    body: (Email) => ({ Email, Code: 'AAAA-AAAA', Purpose: 'reset' }),
    answer: [200, undefined],
  },
  {
    path: '/account/registration',
    body: (Email) => ({ Email, RegistrationToken: 'not one' }),
    answer: [200, undefined],
  },
  {
    path: '/account/change-email',
    body: (Email) => ({ Email, Password: PASSWORD }),
    // It checks whether there is an account, and mails its owner.
    among: ['active', 'pending confirmation (4)', 'pending invitation (9)', 'disabled (3)'],
    answer: [200, undefined],
  },
];

/** The last one, because it changes some of the accounts. It is also the way to have a code mailed again. */
const REGISTER: Question = {
  path: '/account/register',
  body: (Email) => ({ Email, Password: 'another long password' }),
  answer: [200, undefined],
  // Most of its time is the hash of a password.
  blocksAtOnce: 2,
};

const ABOUT_LINKS: Question = {
  path: '/account/register-guest',
  body: (InvitationToken) => ({ InvitationToken, Password: 'another long password', DisplayName: 'Gus' }),
  answer: [400, 'invalid_invitation'],
};

/** Failures and mail quotas are counted by account, so the samples are from several accounts. */
const CROWD = 4;

/** Tests what an attacker can learn about existing accounts from responses and their timing. */
export function accountsAreNotEnumerated(target: Target): void {
  let accounts: Subjects[];
  let links: Subjects[];
  /** The tokens of accounts that request a change of their email. */
  let tokens: string[];
  before(async () => {
    const crowd = <T>(make: () => Promise<T>): Promise<T[]> =>
      Promise.all(Array.from({ length: CROWD }, make));
    accounts = await crowd(() => everyAccount(target));
    links = [await everyDeadLink(target)];
    tokens = await crowd(async () => (await target.logIn((await target.newPerson()).email)).Token);
  });

  /**
   * The classes, each with a function that returns its next subject. An unknown subject must be new, because it is
   * unknown only until the first request about it.
   */
  const classesOf = (question: Question): { name: string; next: () => string }[] => {
    const isLink = question === ABOUT_LINKS;
    const crowd = isLink ? links : accounts;
    const names = question.among ?? Object.keys(crowd[0] ?? {});
    const classes = names.map((name) => {
      let time = 0;
      return { name, next: () => crowd[time++ % crowd.length]?.[name] ?? '' };
    });
    const unknown = () => (isLink ? randomBytes(32).toString('base64url') : target.someEmail());
    return [...classes, { name: 'unknown', next: unknown }];
  };
  let asked = 0;
  const ask = (question: Question, subject: string): Promise<HttpAnswer> => {
    const service = /invitation|register-guest/.test(question.path) ? 'portal' : 'core';
    const token = question.path.endsWith('change-email') ? tokens[asked++ % CROWD] : undefined;
    return target.posts(service, question.path, question.body(subject), token);
  };

  for (const question of [ABOUT_LINKS, LOGIN, ...ABOUT_MAILS, REGISTER]) {
    it(`has the same response at ${question.path} for all accounts and unknown emails, including headers`, async () => {
      const answers = await Promise.all(
        classesOf(question).map(async ({ name, next }) => {
          const response = await ask(question, next());
          const seen = [response.status, response.json['code']];
          assert.deepEqual(seen, question.answer, `${name}: ${response.text}`);
          return visible(response);
        }),
      );
      assert.equal(new Set(answers).size, 1, answers.join('\n'));
    });
  }

  const differenceAt = (question: Question): Promise<string | undefined> => {
    const classes = classesOf(question).map(({ name, next }) => {
      const take = async (): Promise<number> => {
        const { status, ms, text } = await ask(question, next());
        assert.equal(status, question.answer[0], text);
        return ms;
      };
      return { name, take };
    });
    return differenceOf(classes, { blocksAtOnce: question.blocksAtOnce ?? BESIDE_LOGINS });
  };

  describe('in comparison', () => {
    let ofLogins: Promise<string | undefined>;
    before(() => {
      ofLogins = differenceAt(LOGIN);
      ofLogins.catch(() => {});
    });

    for (const question of [ABOUT_LINKS, ...ABOUT_MAILS, LOGIN, REGISTER]) {
      it(`takes the same time at ${question.path} for all accounts and unknown emails`, async () => {
        assert.equal(await (question === LOGIN ? ofLogins : differenceAt(question)), undefined);
      });
    }
  });
}

/** Everything that a client sees in a response, except the parts that always differ. */
function visible({ status, headers, text }: HttpAnswer): string {
  const { date: _, 'x-trace-id': _trace, ...others } = headers;
  const alike = text
    .replace(/"traceId":"[0-9a-f]{32}"/, '')
    .replace(/"RegistrationToken":"[A-Za-z0-9_-]{64}"/, '"RegistrationToken"');
  return JSON.stringify({ status, others, text: alike });
}
