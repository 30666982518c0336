import { profiles } from '@gatehouse/db';
import { route } from '../deps.ts';
import { profileAnswer, ProfileAnswer } from './profile-answer.ts';

export const getProfile = route({
  method: 'get',
  path: '/account/profile',
  operationId: 'getProfile',
  tag: 'Account',
  summary: 'Get your profile',
  access: 'session',
  response: ProfileAnswer,
  errors: ['session_ended'],
  handler: async ({ caller, deps, refuse }) =>
    profileAnswer(refuse, await profiles.find(deps.db, caller.accountId)),
});
