import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { base32Bytes, hashElsewhere, totpCode } from '@gatehouse/auth-core/testing';
import { during, shuffled } from '@gatehouse/runtime/testing';
import { PASSWORD } from '../../e2e/src/testing/index.ts';
import { median } from '../bench/compare.ts';
import { startTarget, type HttpAnswer } from './target.ts';

/** A call with which an attacker may ask about an account or a link, with its body. */
interface Question {
  path: string;
  body: (subject: string) => object;
  /** The classes that are compared, because the call could distinguish them; all by default. */
  among?: readonly string[];
  /** What every class of subject gets, with the code of a refusal; a 200 by default. */
  answer?: [status: number, code?: string];
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
  { path: '/account/forgot-password', body: (Email) => ({ Email }) },
  { path: '/account/resend-verification', body: (Email) => ({ Email }) },
  { path: '/account/resend-invitation', body: (Email) => ({ Email }) },
  { path: '/account/login/email', body: (Email) => ({ Email }), answer: [202] },
  {
    path: '/account/reset-password',
    body: (Email) => ({ Email, Code: 'AAAA-AAAA', Password: 'another long password' }),
    answer: [400, 'invalid_code'],
  },
  {
    path: '/account/verify',
    body: (Email) => ({ Email, Code: 'AAAA-AAAA' }),
    answer: [400, 'invalid_code'],
  },
  {
    path: '/account/code',
    body: (Email) => ({ Email, Code: 'AAAA-AAAA', Purpose: 'reset' }),
  },
  {
    path: '/account/registration',
    body: (Email) => ({ Email, RegistrationToken: 'not one' }),
  },
  {
    path: '/account/change-email',
    body: (Email) => ({ Email, Password: PASSWORD }),
    // It checks whether there is an account, and mails its owner.
    among: ['active', 'pending confirmation (4)', 'pending invitation (9)', 'disabled (3)'],
  },
];

/** The last one, because it changes some of the accounts. It is also the way to have a code mailed again. */
const REGISTER: Question = {
  path: '/account/register',
  body: (Email) => ({ Email, Password: 'another long password' }),
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

/** Hashing a password at this cost takes long enough to be visible in the time of a response. */
const BCRYPT_COST = 7;
const SETTINGS = { BCRYPT_COST: String(BCRYPT_COST), EMAIL_LOGIN: 'users' };

/** Subjects that a stranger may ask about, by class: emails of accounts, or secrets of links. */
type Subjects = Record<string, string>;

/** What an attacker can learn about existing accounts from responses and their timing. */
describe('enumeration', function () {
  this.timeout(180_000);
  const target = during(() => startTarget({ ownServers: false, settings: SETTINGS }));
  let accounts: Subjects[];
  let links: Subjects[];
  let tokens: string[];
  before(async () => {
    const crowd = <T>(make: () => Promise<T>): Promise<T[]> =>
      Promise.all(Array.from({ length: CROWD }, make));
    accounts = await crowd(() => everyAccount());
    links = [await everyDeadLink()];
    // Nobody else may change the email without a code from a mail to the present one.
    const logIn = async () => (await target.logIn((await target.newPerson({ Role: 'Admin' })).email)).Token;
    tokens = await crowd(logIn);
  });

  /** An unknown subject must be new, because it is unknown only until the first request about it. */
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
          const [status, code] = question.answer ?? [200];
          const given = [response.status, response.json['code']];
          assert.deepEqual(given, [status, code], `${name}: ${response.text}`);
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
        assert.equal(status, question.answer?.[0] ?? 200, text);
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

  const everyAccount = async (): Promise<Subjects> => {
    const person = async (overrides: object, changes?: object): Promise<string> => {
      const { id, email } = await target.newPerson(overrides);
      if (changes !== undefined) await target.change(id, changes);
      return email;
    };
    const [registered, invited] = [target.someEmail(), target.someEmail()];
    const [guest, signedOn] = [target.someEmail(), target.someEmail()];
    await target.posts('core', '/account/register', { Email: registered, Password: PASSWORD });
    for (const email of [invited, guest]) await target.invite(email);
    await target.registerGuest(await target.mailedInvitation(guest));
    await target.signOn(signedOn);
    return {
      active: await person({}),
      guest,
      'single sign-on alone': signedOn,
      'two-factor on': await withTwoFactor(),
      ...(await importedAt([4, BCRYPT_COST + 1, BCRYPT_COST + 2])),
      'pending confirmation (4)': registered,
      'pending signup (5)': await person({ Password: undefined }),
      'pending migration (6)': await person({ Password: undefined, IsMigrated: true }),
      'pending invitation (9)': invited,
      'disabled (3)': await person({}, { IsDisabled: true }),
      'new password required (7)': await person({}, { NewPasswordRequired: true }),
      'expired (8)': await person({}, { ExpiresAt: '2020-01-01T00:00:00Z' }),
      'two-factor required (1)': await person({}, { TwoFactorRequired: true }),
    };
  };

  /** Accounts imported from another system, with password hashes that are cheaper or more expensive than ours. */
  const importedAt = async (costs: readonly number[]): Promise<Subjects> => {
    const imported = costs.map((cost) => ({ cost, Email: target.someEmail() }));
    const lines = imported.map(({ cost, Email }) => ({ Email, PasswordHash: hashElsewhere(PASSWORD, cost) }));
    const { status, json, text } = await target.imported(...lines);
    assert.deepEqual([status, json['Imported']], [200, costs.length], text);
    return Object.fromEntries(imported.map(({ cost, Email }) => [`imported at cost ${cost}`, Email]));
  };

  const withTwoFactor = async (): Promise<string> => {
    const { email } = await target.newPerson();
    const { Token } = await target.logIn(email);
    const setUp = (body: object) => target.must('core', '/account/two-factor', body, Token);
    const { Secret } = (await setUp({ Password: PASSWORD }))['TwoFactorSetup'] as { Secret: string };
    await setUp({ TwoFactorCode: totpCode(base32Bytes(Secret), Date.now()) });
    return email;
  };

  /** The secret of one link of each kind that is not valid any more. */
  const everyDeadLink = async (): Promise<Subjects> => {
    const link = async (end: (id: string, secret: string, email: string) => Promise<unknown>) => {
      const email = target.someEmail();
      const id = await target.invite(email);
      const secret = await target.mailedInvitation(email);
      await end(id, secret, email);
      return secret;
    };
    const remove = (UserId: string) => {
      const removal = { UserId, ContentId: target.stack.facts.seed.contentDefinitionId };
      return target.must('portal', '/account/remove-user', removal, target.adminToken);
    };
    return {
      used: await link((_id, secret) => target.registerGuest(secret)),
      'replaced by a newer one': await link((_id, _secret, email) => target.invite(email)),
      revoked: await link(remove),
      'of a disabled guest': await link((id) => target.change(id, { IsDisabled: true })),
      'of an expired guest': await link((id) => target.change(id, { ExpiresAt: '2020-01-01T00:00:00Z' })),
    };
  };
});

/** Everything that a client sees in a response, except the parts that always differ. */
function visible({ status, headers, text }: HttpAnswer): string {
  const { date: _, 'x-trace-id': _trace, ...others } = headers;
  const alike = text
    .replace(/"traceId":"[0-9a-f]{32}"/, '')
    .replace(/"(RegistrationToken":"[\w-]{64}|RequestToken":"[\w-]{43})"/, '"its own token"');
  return JSON.stringify({ status, others, text: alike });
}

/** A class of inputs that must be indistinguishable from the others, and how to send one more request for it. */
interface Class {
  name: string;
  /** Takes one sample. Returns the duration of the response in milliseconds. */
  take: () => Promise<number>;
}

/** How much a class's median may differ from that of all classes. */
const TOLERANCE = 0.1;
/** The difference that clock, scheduler and network stack may cause for equal work. */
const CLOCK_MS = 1.5;
/** In standard deviations: the reach of an interval that misses the true median once in 16,000 times, for 16 classes. */
const REACH = 4;
const BLOCKS_MIN = 24;
const BLOCKS_MORE = 8;
const BLOCKS_MAX = 96;
/** On a busy machine, the result is based on the samples taken until then. */
const BUDGET_MS = 40_000;

/**
 * Compares how long the classes take. A block sends one request for every class, in random order, and divides each
 * time by the median of the block: other load on the machine affects all classes equally and cancels out. For each
 * class, an interval that contains the true median of its shares is computed, without assumptions about their
 * distribution (an inverted sign test). Blocks are added until every interval is within the tolerance, or until one is
 * completely outside, which is the result. If it is still undecided after the last block, a class differs if its
 * median is outside the tolerance and its interval does not include the time of the other classes. So equal classes
 * fail at most once in a thousand times, even if a busy machine gives few samples. `blocksAtOnce` must be so few that
 * the requests do not wait for each other, which would widen the intervals.
 */
async function differenceOf(classes: readonly Class[], { blocksAtOnce }: { blocksAtOnce: number }) {
  const blocks: Block[] = [];
  let verdicts: Verdict[] = [];
  const deadline = performance.now() + BUDGET_MS;
  for (let wanted = BLOCKS_MIN; wanted <= BLOCKS_MAX; wanted += BLOCKS_MORE) {
    const missing = Array.from({ length: wanted - blocks.length }).values();
    const takeBlocks = async (): Promise<void> => {
      for (const _ of missing) blocks.push(await takeBlock(classes));
    };
    await Promise.all(Array.from({ length: blocksAtOnce }, takeBlocks));
    verdicts = classes.map(({ name }) => judge(name, blocks));
    if (verdicts.some(({ isBeyond }) => isBeyond)) break;
    if (verdicts.every(({ isWithin }) => isWithin)) return undefined;
    if (performance.now() > deadline) break;
  }
  return verdicts.some(({ isFar }) => isFar) ? tell(verdicts, blocks.length) : undefined;
}

/** The time of each class, by name. */
type Block = ReadonlyMap<string, number>;

async function takeBlock(classes: readonly Class[]): Promise<Block> {
  const block = new Map<string, number>();
  // So that no class always follows the same other class.
  for (const { name, take } of shuffled(classes, randomInt(2 ** 31))) block.set(name, await take());
  return block;
}

type Verdict = ReturnType<typeof judge>;

function judge(name: string, blocks: readonly Block[]) {
  const middles = blocks.map((block) => median([...block.values()]));
  const tolerance = Math.max(TOLERANCE, CLOCK_MS / median(middles));
  const shares = blocks
    .map((block, index) => (block.get(name) ?? NaN) / (middles[index] ?? NaN) - 1)
    .toSorted((a, b) => a - b);
  const reach = (REACH * Math.sqrt(shares.length)) / 2;
  const at = (rank: number): number => shares[Math.round((shares.length - 1) / 2 + rank)] ?? NaN;
  const [from, to] = [at(-reach), at(reach)];
  return {
    name,
    /** The interval for the median of the shares, minus one: 0.1 is a tenth longer than the others. */
    from,
    to,
    isWithin: from > -tolerance && to < tolerance,
    isBeyond: from > tolerance || to < -tolerance,
    isFar: Math.abs(at(0)) > tolerance && (from > 0 || to < 0),
  };
}

function tell(verdicts: readonly Verdict[], blocks: number): string {
  const percent = (share: number): string => `${share > 0 ? '+' : ''}${(100 * share).toFixed(0)}`;
  const intervals = verdicts.map(
    ({ name, from, to, isFar }) => `${isFar ? '! ' : ''}${name} ${percent(from)} to ${percent(to)} %`,
  );
  return `after ${blocks} blocks: ${intervals.join(', ')}`;
}
