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
  handler: async ({ caller, deps }) => profileAnswer(await profiles.find(deps.db, caller.accountId)),
});
