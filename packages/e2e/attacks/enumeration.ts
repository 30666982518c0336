import assert from 'node:assert/strict';
import { PASSWORD } from '../src/testing.ts';
import type { Told } from './ask.ts';
import type { Target } from './target.ts';
import { differenceOf, type Class } from './timing.ts';

/** Whoever may be behind an email, as far as a stranger must not be told. */
type People = Record<string, string>;

/** A call that a stranger may make about an email, with the body that asks about it. */
interface Question {
  path: string;
  body: (email: string) => object;
  /** Every class of account gets this answer. */
  answer: [number, string | undefined];
}

const QUESTIONS: Question[] = [
  {
    path: '/account/login',
    body: (Username) => ({ Username, Password: 'a wrong password' }),
    answer: [404, 'authentication_failed'],
  },
  { path: '/account/forgot-password', body: (Email) => ({ Email }), answer: [200, undefined] },
  {
    path: '/account/reset-password',
    body: (Email) => ({ Email, Code: 'AAAA-AAAA', Password: 'another long password' }),
    answer: [400, 'invalid_code'],
  },
  { path: '/account/verify', body: (Email) => ({ Email, Code: 'AAAA-AAAA' }), answer: [400, 'invalid_code'] },
  // Last, as it changes some of them.
  {
    path: '/account/register',
    body: (Email) => ({ Email, Password: 'another long password' }),
    answer: [200, undefined],
  },
];

/** What a stranger can learn about who has an account, by what is answered and how long it takes. */
export function nobodyIsEnumerated(given: () => Target): void {
  let target: Target;
  /** Counts and quotas go by account: the samples are of several. */
  let crowd: People[];
  before(async () => {
    target = given();
    crowd = [];
    for (let one = 0; one < CROWD; one += 1) crowd.push(await everyClass(target));
  });

  for (const question of QUESTIONS) {
    it(`answers ${question.path} alike for every class of account, header for header`, async () => {
      const answers = new Set<string>();
      for (const [name, email] of [
        ...Object.entries(crowd[0] ?? {}),
        ['unknown', target.someEmail()] as const,
      ]) {
        const told = await target.posts('core', question.path, question.body(email));
        assert.deepEqual([told.status, told.json['code']], question.answer, `${name}: ${told.text}`);
        answers.add(visible(told));
      }
      assert.equal(answers.size, 1, [...answers].join('\n'));
    });
  }

  for (const question of QUESTIONS) {
    it(`takes the same time at ${question.path} for every class of account`, async () => {
      const classOf = (name: string, emailOf: (time: number) => string): Class => {
        let times = 0;
        const take = async () => {
          const email = emailOf(times++);
          const { status, ms, text } = await target.posts('core', question.path, question.body(email));
          assert.equal(status, question.answer[0], text);
          return ms;
        };
        return { name, take };
      };
      const classes = Object.keys(crowd[0] ?? {}).map((name) =>
        classOf(name, (time) => crowd[time % CROWD]?.[name] ?? ''),
      );
      // Who registers is unknown no longer.
      const unknown = classOf('unknown', () => target.someEmail());
      assert.equal(await differenceOf([...classes, unknown]), undefined);
    });
  }
}

const CROWD = 2;

/** One account of each class. */
async function everyClass(target: Target): Promise<People> {
  const person = async (wishes: object, changes?: object) => {
    const { id, email } = await target.newPerson(wishes);
    if (changes !== undefined) await target.change(id, changes);
    return email;
  };
  const registered = target.someEmail();
  await target.posts('core', '/account/register', { Email: registered, Password: PASSWORD });
  const invited = target.someEmail();
  const { contentDefinitionId } = target.stack.facts.seed;
  const invitation = { Emails: [invited], ContentDefinitionId: contentDefinitionId };
  assert.equal(
    (await target.posts('portal', '/account/invite-user', invitation, target.adminToken)).status,
    200,
  );
  return {
    active: await person({}),
    'pending confirmation (4)': registered,
    'pending signup (5)': await person({ Password: undefined }),
    'pending migration (6)': await person({ Password: undefined, IsMigrated: true }),
    'pending invitation (9)': invited,
    'disabled (3)': await person({}, { IsDisabled: true }),
    'new password required (7)': await person({}, { NewPasswordRequired: true }),
    'expired (8)': await person({}, { ExpiresAt: '2020-01-01T00:00:00Z' }),
    'two-factor required (1)': await person({}, { TwoFactorRequired: true }),
  };
}

/** All of an answer that a client sees, but for what differs between any two. */
function visible({ status, headers, text }: Told): string {
  const { date: _, 'x-trace-id': _trace, ...others } = headers;
  return JSON.stringify({ status, others, text: text.replace(/"traceId":"[0-9a-f]{32}"/, '') });
}
