import {
  acceptInvitation,
  conditionOf,
  recordInvitations,
  remailInvitation,
  requestMail,
  startMailRequests,
  withAddressThrottle,
} from '@gatehouse/accounts';
import type { AccountsDeps, MailRequests, Origin, WriteTransaction } from '@gatehouse/accounts';
import { hashInvitationToken } from '@gatehouse/auth-core';
import { disabledNow, invitations, notEnded, query, statement, type KeyedAccount } from '@gatehouse/db';
import { invalidField, invalidPassword, tooManyFailures, tooManyMails } from '@gatehouse/http';
import type { Metrics } from '@gatehouse/runtime';
import {
  contentAddress,
  DisplayName,
  Email,
  Enum,
  Locale,
  LoginStatus,
  Optional,
  Password,
  shownName,
  Type,
} from '@gatehouse/schema';
import { routeOf } from '../deps.ts';

const route = routeOf({ tag: 'Guests' });

const TOKEN_LENGTH_MAX = 100;

/** The secret of a link. As with codes, any invalid value gets the same response as a wrong token. */
const InvitationToken = Type.Optional(
  Type.Unknown({ description: 'The `InvitationToken` parameter of the link, as a string' }),
);

/** No link has the empty token. */
function readInvitationToken(typed: unknown): string {
  return typeof typed === 'string' && typed.length <= TOKEN_LENGTH_MAX ? typed : '';
}

export const getInvitation = route('POST /account/invitation', {
  operationId: 'getInvitationByLink',
  summary: 'Find out what an invitation link is about',
  description:
    'Changes nothing: the link is used up by `/account/register-guest` alone. `Expired` links can be requested again ' +
    'with `/account/resend-invitation`. A link that was replaced by a newer one is `invalid_invitation`, like a wrong one.',
  access: 'public',
  body: Type.Object({ InvitationToken }),
  response: Type.Object({
    State: Enum(['Open', 'Used', 'Expired', 'Revoked']),
    Email: Type.String({ description: 'The address that was invited' }),
    Inviter: Optional.String({
      description: 'The name of the person who invites, unless it could be a message or a link',
    }),
    Content: Type.Optional(
      Type.Object(
        { Name: Type.String(), Kind: Enum(['LiveChannel', 'Recording', 'Document']) },
        { title: 'InvitedContent', description: 'Absent if the invited person may not see it (any more)' },
      ),
    ),
  }),
  errors: ['invalid_invitation', 'too_many_requests'],
  handler: async ({ body, deps, request, refuse }) => {
    const tokenHash = hashInvitationToken(readInvitationToken(body.InvitationToken));
    // Unknown tokens count as failures of the client's address.
    const found = await withAddressThrottle<LinkedInvitation | undefined>(deps, request, async () => {
      const outcome = await findByLink(deps.db, tokenHash);
      return { counts: outcome === undefined ? 'failed' : 'succeeded', outcome };
    });
    if (found === undefined) throw refuse('invalid_invitation');
    if ('retryAfterSeconds' in found) throw tooManyFailures(refuse, found);
    const { state, email, inviterName, content } = found;
    const inviter = content === null ? undefined : shownName(inviterName ?? undefined);
    return {
      State: state,
      Email: email,
      ...(inviter !== undefined && { Inviter: inviter }),
      ...(content !== null && { Content: { Name: content.name, Kind: content.kind } }),
    };
  },
});

interface LinkedInvitation {
  /** What has become of it: `Expired`, if its link can be mailed again. */
  state: 'Open' | 'Used' | 'Expired' | 'Revoked';
  /** The address that was invited; the account may have another one by now. */
  email: string;
  inviterName: string | null;
  /** Null if the invited has no access, and can get none with this invitation. */
  content: { name: string; kind: 'LiveChannel' | 'Recording' | 'Document' } | null;
}

/** The invitation with this token, whatever has become of it; `undefined` if no link has this token any more. */
const findByLink = statement.row<LinkedInvitation, [tokenHash: Buffer]>(`
  select state, email, "inviterName", case when state in ('Open', 'Expired') or "hasAccess" then content end as content
  from (
    select i.invited_email as email, inviter.display_name as "inviterName",
      json_build_object('name', c.name, 'kind', c.kind) as content,
      exists (
        select 1 from content_access access
        where access.account_id = i.account_id and access.content_definition_id = c.id
          and ${notEnded('access.expires_at')}) as "hasAccess",
      case
        when i.accepted_at is not null then 'Used'
        when not (${invitations.IS_OPEN} and ${notEnded('i.access_expires_at')}) then 'Revoked'
        when a.signup <> 'invitation' or ${disabledNow('a')} or not ${notEnded('a.expires_at')} then 'Revoked'
        when i.expires_at <= now() then 'Expired'
        else 'Open'
      end as state
    from invitation i
    join account a on a.id = i.account_id
    join content_definition c on c.id = i.content_definition_id
    left join account inviter on inviter.id = i.invited_by
    where i.token_hash = ?) found`);

export const registerGuest = route('POST /account/register-guest', {
  operationId: 'registerGuest',
  summary: 'Complete a guest account with an invitation link',
  description:
    'The email address counts as verified, because the link was sent to it. All other pending invitations of the ' +
    'account are accepted as well. `Password` can be omitted if `EMAIL_LOGIN` is not `off`: the guest then has none, ' +
    'and logs in with mailed codes.',
  access: 'public',
  body: Type.Object({
    InvitationToken,
    Password: Type.Optional(Password()),
    DisplayName: Type.Optional(DisplayName()),
    Locale: Type.Optional(Locale()),
  }),
  response: Type.Object({
    ContentUrl: Optional.String({
      description: 'The URL of the shared content, if `CONTENT_URL` is configured',
    }),
    HandoverCode: Optional.String({
      description:
        'Without a password: opens the guest’s first session at `POST /account/handover/exchange`, within a minute',
    }),
  }),
  errors: ['invalid_invitation'],
  handler: async ({ body, deps, request, refuse }) => {
    const { Password: password, DisplayName: displayName, Locale: locale } = body;
    const token = readInvitationToken(body.InvitationToken);
    const outcome = await acceptInvitation(deps, { token, password, displayName, locale }, request);
    switch (outcome.kind) {
      case 'accepted':
        request.addToLog({ accountId: outcome.accountId });
        return {
          ...(deps.contentUrl !== undefined && {
            ContentUrl: contentAddress(deps.contentUrl, outcome.contentDefinitionId),
          }),
          ...(outcome.loginCode !== undefined && { HandoverCode: outcome.loginCode }),
        };
      case 'password_required':
        throw invalidField('/Password', 'is required', 'required');
      case 'invalid':
        throw refuse('invalid_invitation');
      case 'unfit_password':
        throw invalidPassword(outcome.fault);
    }
  },
});

export const resendInvitation = route('POST /account/resend-invitation', {
  operationId: 'requestInvitationAgain',
  summary: 'Request the link of an invitation again',
  description:
    'Emails the link of the newest invitation again to a guest who has not accepted any, up to 30 days after the ' +
    'invitation; the previous link becomes invalid. The response and its timing are the same whether or not the email ' +
    'address has been invited.',
  access: 'public',
  body: Type.Object({ Email: Email() }),
  response: Type.Object({}),
  errors: ['too_many_requests'],
  handler: async ({ body, deps, request, refuse }) => {
    const { addressGroup } = request;
    const asked = {
      email: body.Email,
      purpose: 'invitation',
      table: 'invitation_request',
      addressGroup,
    } as const;
    const limited = await requestMail(deps, asked, request);
    if (limited !== undefined) throw tooManyMails(refuse, limited);
    return {};
  },
});

export function answerInvitationRequests(deps: AccountsDeps, metrics: Metrics): MailRequests {
  return startMailRequests(deps, metrics, {
    table: 'invitation_request',
    answers: { invitation: (tx, account, origin) => mailLinkAgain(deps, tx, account, origin) },
    measured: {
      waiting: {
        name: 'gatehouse_invitation_requests_waiting',
        help: 'Requests for invitations whose email is not queued yet, across all instances, up to 100000',
      },
      oldest: {
        name: 'gatehouse_invitation_requests_oldest_seconds',
        help: 'Age of the oldest request for an invitation whose email is not queued yet, 0 if none',
      },
    },
  });
}

/** How long the link may be mailed again, expired or not; then the inviter has to send the invitation again. */
const INVITED_DAYS_MAX = 30;

/**
 * Mails a pending guest, whose account is locked, the link of the newest invitation again. The request may come from
 * the owner of the mailbox or from a stranger, so it changes nothing except the link.
 */
async function mailLinkAgain(
  deps: AccountsDeps,
  tx: WriteTransaction,
  account: KeyedAccount,
  origin: Origin,
): Promise<void> {
  if (conditionOf(account) !== LoginStatus.IsPendingInvitation) return;
  const [newest] = await query<{ id: string; contentDefinitionId: string; invitedBy: string | null }>(
    tx,
    `select i.id, i.content_definition_id as "contentDefinitionId", i.invited_by as "invitedBy"
     from invitation i
     where i.account_id = ? and ${invitations.IS_OPEN} and ${notEnded('i.access_expires_at')}
       and i.invited_at > now() - make_interval(days => ?)
     order by i.invited_at desc, i.id desc
     limit 1`,
    [account.id, INVITED_DAYS_MAX],
  );
  if (newest === undefined) return;
  const system = { actor: { kind: 'System' }, origin } as const;
  const mailed = await remailInvitation(deps, tx, { ...newest, account }, system, 'invitee');
  if (mailed.kind === 'mailed')
    recordInvitations(tx, 'invitation.resent', [{ ...newest, accountId: account.id }]);
}
