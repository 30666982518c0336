import { actorOf, createStaticToken } from '@gatehouse/accounts';
import { Timestamp, Type } from '@gatehouse/schema';
import { checkNetworks, Networks } from './networks.ts';
import { invalidRequest, readFutureMoment } from '@gatehouse/http';
import { route } from '../deps.ts';
import { apiTokenAnswer, ApiTokenRole, NewApiToken } from './api-token-answer.ts';

export const postApiToken = route({
  method: 'post',
  path: '/admin/api-token',
  operationId: 'createApiToken',
  tag: 'API tokens',
  summary: 'Create a static API token',
  description:
    'The token acts for the installation, never expires unless `ExpiresAt` is set, and is shown only in this ' +
    'response. With `Networks` it is accepted only from these addresses. `Feed` can only check tokens and follow ' +
    'which sessions ended; the default role, `Service`, can also invite to and revoke access to any content and ' +
    'manage persons; `Admin` has all the rights of an administrator.',
  access: ['Admin'],
  recent: 'session',
  body: Type.Object({
    Name: Type.String({
      format: 'plain-text',
      minLength: 1,
      maxLength: 100,
      pattern: /\S/.source,
      description: 'The purpose of the token',
    }),
    Role: Type.Optional(ApiTokenRole),
    ExpiresAt: Type.Optional(Timestamp()),
    Networks: Type.Optional(Networks),
  }),
  response: NewApiToken,
  status: 201,
  handler: async ({ body, caller, deps, request }) => {
    const { Name: name, Role: role = 'Service', Networks: networks } = body;
    const { ExpiresAt: end } = body;
    const expiresAt = end === undefined ? undefined : readFutureMoment(end, '/ExpiresAt', deps.now());
    checkNetworks(networks);
    const wanted = { name, role, actor: actorOf(caller), expiresAt, networks };
    const created = await createStaticToken(deps, wanted, request);
    if (created.kind === 'exceeds') {
      const message = 'must be within the restrictions of the token that creates it';
      throw invalidRequest(undefined, {
        errors: [{ pointer: `/${created.field}`, message, code: 'does_not_go_with' }],
      });
    }
    return { ...apiTokenAnswer(created.kept), Token: created.token };
  },
});
