import { someEmail } from '@gatehouse/accounts/testing';
import { v7 as newId } from 'uuid';
import { registerWith, type Call, type Fixtures, type Who } from './fixtures.ts';

/** One attempt: the caller, its description, and the call. */
type Try = [who: Who, what: string, call: (fixtures: Fixtures) => Call];

export const invite = (ContentDefinitionId: string): Call => [
  'POST /account/invite-user',
  { Emails: [someEmail()], ContentDefinitionId },
];
export const remove = (whom: { UserId: string } | { Emails: string[] }, ContentId: string): Call => [
  'POST /account/remove-user',
  { ...whom, ContentId },
];
export const resend = (email: string, content: string): Call => [
  `POST /account/content/${content}/resend`,
  { Emails: [email] },
];
const share = (content: string): Call => [
  `POST /admin/content-definition/${content}/invite`,
  { Emails: [someEmail()] },
];
const takeBack = (UserId: string, content: string): Call => [
  `POST /admin/content-definition/${content}/remove`,
  { UserId },
];
export const read = (content: string): Call => [`GET /user-session/${content}`];
export const endSession = (id: string): Call => [`DELETE /account/session/${id}`];
export const verify = (Email: string, Code: string): Call => ['POST /account/verify', { Email, Code }];
const reset = (Email: string, Code: string): Call => [
  'POST /account/reset-password',
  { Email, Code, Password: 'a password of the thief' },
];
const refresh = (RefreshToken: string): Call => ['POST /account/refresh-token', { RefreshToken }];
const setStatus = (target: object): Call => ['POST /admin/user-session', { ...target, Status: 4 }];
const promote = (id: string): Call => [`PATCH /admin/account/${id}`, { Role: 'Admin' }];

/** What the owner alone may do. What only a role may do is tried for every route with every caller (walk.test.ts). */
export const FORBIDDEN: Try[] = [
  ['bert', 'invites to content of somebody else', ({ ofAnna }) => invite(ofAnna)],
  ['ursula', 'invites to content that is shared with her', ({ ofAnna }) => invite(ofAnna)],
  ['gus', 'invites to content that is shared with him', ({ ofAnna }) => invite(ofAnna)],
  ['anna', 'invites to content that nobody owns', ({ ofNobody }) => invite(ofNobody)],
  ['bert', 'takes back what another shares, by id', (at) => remove({ UserId: at.ursula.id }, at.ofAnna)],
  ['bert', 'takes back what another shares, by email', (at) => remove({ Emails: [at.gus.email] }, at.ofAnna)],
  ['bert', 'voids an invitation of another', (at) => remove({ Emails: [at.invited.email] }, at.ofAnna)],
  ['bert', 'resends an invitation of another', (at) => resend(at.invited.email, at.ofAnna)],
  ['gus', 'resends an invitation to what is shared with him', (at) => resend(at.invited.email, at.ofAnna)],
  ['ursula', 'takes back what is shared with her', (at) => remove({ UserId: at.gus.id }, at.ofAnna)],
  ['gus', 'takes back what is shared with him', (at) => remove({ UserId: at.ursula.id }, at.ofAnna)],
  ['gus', 'removes himself', (at) => remove({ UserId: at.gus.id }, at.ofAnna)],
  ['bert', 'reads a channel of another', ({ ofAnna }) => read(ofAnna)],
  ['hedi', 'reads a channel that she was not invited to', ({ ofAnna }) => read(ofAnna)],
  ['anna', 'reads a channel that nobody owns', ({ ofNobody }) => read(ofNobody)],
  ['anna', 'learns of what kind the content of another is', ({ recording }) => read(recording)],
];

export const NOT_FOUND: Try[] = [
  ['bert', 'ends a session of another', ({ anna }) => endSession(anna.sessionId)],
  ['gus', 'ends a session of another guest', ({ hedi }) => endSession(hedi.sessionId)],
  ['admin', 'ends a session of another as if it were his', ({ anna }) => endSession(anna.sessionId)],
  ['anna', 'ends a session by the id of its account', ({ anna }) => endSession(anna.id)],
  ['anna', 'invites to what never was', () => invite(newId())],
  ['admin', 'invites to the content that an account is', ({ anna }) => invite(anna.id)],
  ['admin', 'shares the content that an account is', ({ anna }) => share(anna.id)],
  ['admin', 'takes back the content that an account is', ({ anna }) => takeBack(anna.id, anna.id)],
  ['anna', 'resends invitations to what never was', ({ invited }) => resend(invited.email, newId())],
  ['admin', 'reads the channel that an account is', ({ anna }) => read(anna.id)],
  ['admin', 'shows the session that an account is', ({ anna }) => [`GET /admin/user-session/${anna.id}`]],
  ['admin', 'ends the session that an account is', ({ anna }) => setStatus({ SessionId: anna.id })],
  [
    'admin',
    'ends sessions of the account that a session is',
    ({ anna }) => setStatus({ UserId: anna.sessionId }),
  ],
  ['admin', 'shows the account that a session is', ({ anna }) => [`GET /admin/account/${anna.sessionId}`]],
  ['admin', 'promotes the account that a session is', ({ anna }) => promote(anna.sessionId)],
  [
    'admin',
    'shows the content that an account is',
    ({ anna }) => [`GET /admin/content-definition/${anna.id}`],
  ],
  ['admin', 'revokes the token that an account is', ({ anna }) => [`DELETE /admin/api-token/${anna.id}`]],
  [
    'admin',
    'deletes the invitation that a guest is',
    ({ invited }) => [`DELETE /admin/invitation/${invited.id}`],
  ],
  [
    'admin',
    'sends the mail that an invitation is',
    (at) => [`POST /admin/mail/${at.invited.invitationId}/retry`],
  ],
  ['admin', 'deletes the person that an account is', ({ anna }) => [`DELETE /person/${anna.id}`]],
  [
    'anna',
    'decides about the face of another person',
    ({ ada, eva }) => [`PUT /person/${ada.id}/face/${eva.faceId}`, { FaceMatchType: 4 }],
  ],
  [
    'anna',
    'decides about it among the faces of the person',
    ({ ada, eva }) => [
      `PUT /person/${ada.id}/face`,
      { Items: [ada, eva].map(({ faceId }) => ({ FaceId: faceId, FaceMatchType: 4 })) },
    ],
  ],
];

/** Codes that were mailed to one person for one purpose, used for another person or another purpose. */
export const INVALID_CODE: Try[] = [
  ['nobody', 'confirms an email with the code of another', ({ one, other }) => verify(other.email, one.code)],
  ['nobody', 'confirms an email with a reset code', ({ anna, resetCode }) => verify(anna.email, resetCode)],
  ['nobody', 'confirms an email with an invitation', ({ invited }) => verify(invited.email, invited.token)],
  [
    'nobody',
    'sets a password with the code of another',
    ({ bert, resetCode }) => reset(bert.email, resetCode),
  ],
  ['nobody', 'sets a password with a verification code', ({ one }) => reset(one.email, one.code)],
  ['nobody', 'sets a password with an email change', ({ anna, changeCode }) => reset(anna.email, changeCode)],
  ['nobody', 'sets a password with an invitation', ({ invited }) => reset(invited.email, invited.token)],
  [
    'bert',
    'takes the email that another wants',
    ({ changeCode }) => ['POST /account/confirm-email', { Code: changeCode }],
  ],
  [
    'anna',
    'takes an email with a reset code',
    ({ resetCode }) => ['POST /account/confirm-email', { Code: resetCode }],
  ],
];

export const INVALID_INVITATION: Try[] = [
  ['nobody', 'accepts an invitation by its id', ({ invited }) => registerWith(invited.invitationId)],
  ['nobody', 'accepts an invitation by the id of its guest', ({ invited }) => registerWith(invited.id)],
  ['bert', 'accepts an invitation by its email', ({ invited }) => registerWith(invited.email)],
  ['nobody', 'accepts an invitation with a code', ({ resetCode }) => registerWith(resetCode)],
  ['nobody', 'accepts an invitation with an access token', ({ tokens }) => registerWith(tokens.anna)],
  ['nobody', 'accepts an invitation that was accepted', ({ gus }) => registerWith(gus.token)],
];

export const TOKEN_INVALID: Try[] = [
  ['nobody', 'refreshes with an access token', ({ tokens }) => refresh(tokens.anna)],
  ['nobody', 'refreshes with a static token', ({ tokens }) => refresh(tokens.adminToken)],
  ['nobody', 'refreshes with an invitation', ({ invited }) => refresh(invited.token)],
  ['nobody', 'refreshes with the id of a session', ({ anna }) => refresh(anna.sessionId)],
];
