/** What an application may ask for, besides resources of its own. */
export const OAUTH_SCOPES = ['openid', 'profile', 'email', 'groups', 'offline_access'] as const;

/** How an application gets tokens. */
export const OAUTH_GRANT_TYPES = ['authorization_code', 'refresh_token', 'client_credentials'] as const;

/** Signatures of ID tokens. Many applications know RS256 alone. */
export const ID_TOKEN_ALGS = ['RS256', 'ES256'] as const;
