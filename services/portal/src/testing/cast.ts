import assert from 'node:assert/strict';
import { remailInvitation, write } from '@gatehouse/accounts';
import { invitationTokenIn, othersOf, PASSWORD, peopleOf, servicesOf } from '@gatehouse/accounts/testing';
import { BY_SYSTEM, someEmail, type AccountRef } from '@gatehouse/accounts/testing';
import { guestAccounts } from '@gatehouse/db';
import type { Who } from '@gatehouse/http/testing';
import { startPortal, type TestPortal } from './index.ts';

export { problem } from '@gatehouse/http/testing';

type Settings = Parameters<typeof startPortal>[0];

const service = servicesOf(() => startPortal());

/** Portal and people; without settings the Portal that files share (`servicesOf`). */
export function cast(settings?: Settings) {
  const another = othersOf((changes: Settings, contentUrl?: string) =>
    startPortal(changes, portal(), contentUrl),
  );
  const portal = service(settings === undefined ? undefined : () => startPortal(settings));
  const people = peopleOf(() => portal().app);
  const post = (path: string, who: Who, body?: object) => portal().post(path, who, body);
  const someone = async (overrides?: Parameters<typeof people.member>[0]) => {
    const person = await people.member(overrides);
    return { ...person, ...(await person.logsIn()) };
  };
  const linkTo = async (email: string) => invitationTokenIn(await people.mailsTo(email));
  /** Accepts an invitation, as Gus. */
  const accept = (InvitationToken: unknown, more: object = {}, at = portal()) =>
    at.post('/account/register-guest', undefined, {
      InvitationToken,
      Password: PASSWORD,
      DisplayName: 'Gus',
      ...more,
    });
  const newOwner = async (displayName?: string) => {
    const owner = await someone(displayName === undefined ? {} : { displayName });
    const content = await people.newContent(owner);
    const invites = (Emails: unknown, more: object = {}, at = portal()) =>
      at.post('/account/invite-user', owner, { Emails, ContentDefinitionId: content, ...more });
    const invite = async (email: string, more?: object, at?: TestPortal) =>
      (await invites([email], more, at).expect(200)).body.Items[0] as Invited;
    return {
      ...owner,
      content,
      invites,
      invite,
      /** Invites somebody, and returns the secret of the link, too. */
      mailsLink: async (more?: object, email = someEmail()) => {
        await invite(email, more);
        return { email, token: await linkTo(email) };
      },
      /** A guest who has accepted an invitation. */
      newGuest: async (email = someEmail(), at = portal()): Promise<AccountRef> => {
        const { UserId: id } = await invite(email, {}, at);
        assert.equal((await accept(await linkTo(email), {}, at)).status, 200);
        return { id, email };
      },
      removes: (from: object, more: object = {}, at = portal()) =>
        at.post('/account/remove-user', owner, { ...from, ContentId: content, ...more }),
    };
  };
  return {
    ...people,
    portal,
    app: () => portal().app,
    http: () => portal().http,
    call: (...given: Parameters<TestPortal['call']>) => portal().call(...given),
    get: (path: string, who?: Who) => portal().get(path, who),
    post,
    someone,
    linkTo,
    accept,
    /** What happens when an administrator resends a guest's invitation, which Portal does not offer. */
    resendAsAdministrator: async (accountId: string) => {
      const found = `select id, content_definition_id as "contentDefinitionId", invited_by as "invitedBy"
        from invitation where account_id = ?`;
      type Invitation = Omit<Parameters<typeof remailInvitation>[2], 'account'>;
      const [invitation = assert.fail()] = await people.sql<Invitation>(found, [accountId]);
      return write(portal().app, BY_SYSTEM, async (tx) => {
        const [account] = await guestAccounts.lockMany(tx, [accountId]);
        return account && remailInvitation(portal().app, tx, { ...invitation, account }, BY_SYSTEM);
      });
    },
    /** Somebody with content to share, new in each test. */
    useOwner: (displayName?: string) => {
      const owner = {} as Awaited<ReturnType<typeof newOwner>>; // filled before each test
      beforeEach(async () => Object.assign(owner, await newOwner(displayName)));
      return owner;
    },
    another,
  };
}

export interface Invited {
  Email: string;
  UserId: string;
  Result: string;
}
