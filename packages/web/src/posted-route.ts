import { defineRoutes, form, openQuery, reply, type Route } from '@gatehouse/http';
import { Type } from '@gatehouse/schema';

const route = defineRoutes<unknown>();

/**
 * A page that apps may also open with a form (OpenID Connect Core §3.1.2.1, RP-Initiated Logout §2). It leads to the same
 * page with the fields in its address, where the page reads them: a form has no more power than a link.
 */
export function postedRoute(path: string): Route<unknown> {
  return route({
    method: 'post',
    path,
    summary: `Open the page ${path} with a form`,
    access: 'public',
    query: openQuery({}),
    body: FIELDS,
    status: 303,
    handler: ({ body }) =>
      reply({
        status: 303,
        headers: { Location: `${path}?${new URLSearchParams(body).toString()}`, 'Cache-Control': 'no-store' },
      }),
  });
}

/** As long as an address may be: an ID token of somebody in many groups is long. */
const Field = Type.Optional(Type.String({ maxLength: 16_384 }));

/** The parameters of both pages that mean something. Others must be ignored (RFC 6749 §3.1). */
const FIELDS = form({
  acr_values: Field,
  claims: Field,
  client_id: Field,
  code_challenge: Field,
  code_challenge_method: Field,
  display: Field,
  id_token_hint: Field,
  login_hint: Field,
  logout_hint: Field,
  max_age: Field,
  nonce: Field,
  post_logout_redirect_uri: Field,
  prompt: Field,
  redirect_uri: Field,
  request: Field,
  request_uri: Field,
  resource: Field,
  response_mode: Field,
  response_type: Field,
  scope: Field,
  state: Field,
  ui_locales: Field,
});
