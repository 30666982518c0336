import { changeProfile } from '@gatehouse/accounts';
import { DisplayName, Locale, Type } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { profileAnswer, ProfileAnswer } from './profile-answer.ts';

export const putProfile = route({
  method: 'put',
  path: '/account/profile',
  operationId: 'updateProfile',
  tag: 'Account',
  summary: 'Update your profile',
  description: 'Omitted fields remain unchanged.',
  access: 'session',
  body: Type.Object({ DisplayName: Type.Optional(DisplayName()), Locale: Type.Optional(Locale()) }),
  response: ProfileAnswer,
  errors: ['session_ended'],
  handler: async ({ body, caller, deps, request, refuse }) => {
    const given = { displayName: body.DisplayName, locale: body.Locale };
    return profileAnswer(refuse, await changeProfile(deps, caller.accountId, given, request));
  },
});
