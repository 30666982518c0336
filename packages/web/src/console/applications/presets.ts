/** Products whose settings the console knows (docs/applications), and an application of any other kind. */
export const PRESETS = ['grafana', 'gitlab', 'oauth2-proxy', 'nextcloud', 'custom'] as const;

export type Preset = (typeof PRESETS)[number];

interface Product {
  name: string;
  /** The path at its own address to which browsers return. */
  callback: string;
}

export const PRODUCTS: Readonly<Partial<Record<Preset, Product>>> = {
  grafana: { name: 'Grafana', callback: '/login/generic_oauth' },
  gitlab: { name: 'GitLab', callback: '/users/auth/openid_connect/callback' },
  'oauth2-proxy': { name: 'oauth2-proxy', callback: '/oauth2/callback' },
  nextcloud: { name: 'Nextcloud', callback: '/apps/user_oidc/code' },
};

export function presetIn(value: string | undefined): Preset {
  return PRESETS.find((one) => one === value) ?? 'custom';
}

export function presetOf(redirectUris: readonly string[]): Preset {
  const isOf = (preset: Preset): boolean => {
    const path = PRODUCTS[preset]?.callback;
    return path !== undefined && redirectUris.some((uri) => uri.endsWith(path));
  };
  return PRESETS.find(isOf) ?? 'custom';
}

export function callbackAt(preset: Preset, address: string): string {
  const product = PRODUCTS[preset];
  return product ? `${address.replace(/\/$/, '')}${product.callback}` : address;
}

interface Connection {
  issuer: string;
  pagesUrl: string;
  clientId: string;
  /** Shown once; later a placeholder. */
  secret: string;
  redirectUri: string;
  isPublic: boolean;
}

/** The settings to paste on the other side, by the documentation of the product. */
export const SETTINGS_FOR: Record<Preset, (connection: Connection) => string> = {
  grafana: ({ issuer, pagesUrl, clientId, secret }) => `[auth.generic_oauth]
enabled = true
name = Gatehouse
client_id = ${clientId}
client_secret = ${secret}
scopes = openid profile email groups offline_access
auth_url = ${pagesUrl}/oauth/authorize
token_url = ${issuer}/oauth/token
api_url = ${issuer}/oauth/userinfo
login_attribute_path = email
use_pkce = true
use_refresh_token = true
role_attribute_path = contains(groups[*], 'grafana-admins') && 'Admin' || 'Viewer'
signout_redirect_url = ${pagesUrl}/oauth/logout`,

  gitlab: ({
    issuer,
    clientId,
    secret,
    redirectUri,
  }) => `gitlab_rails['omniauth_allow_single_sign_on'] = ['openid_connect']
gitlab_rails['omniauth_block_auto_created_users'] = false
gitlab_rails['omniauth_providers'] = [
  {
    name: "openid_connect",
    label: "Gatehouse",
    args: {
      name: "openid_connect",
      scope: ["openid", "profile", "email"],
      response_type: "code",
      issuer: "${issuer}",
      discovery: true,
      client_auth_method: "basic",
      uid_field: "sub",
      send_scope_to_token_endpoint: "false",
      pkce: true,
      client_options: {
        identifier: "${clientId}",
        secret: "${secret}",
        redirect_uri: "${redirectUri}"
      }
    }
  }
]`,

  'oauth2-proxy': ({ issuer, clientId, secret, redirectUri }) => `provider = "oidc"
provider_display_name = "Gatehouse"
oidc_issuer_url = "${issuer}"
client_id = "${clientId}"
client_secret = "${secret}"
redirect_url = "${redirectUri}"
scope = "openid profile email groups offline_access"
code_challenge_method = "S256"
email_domains = ["*"]
cookie_refresh = "5m"`,

  nextcloud: ({ issuer, clientId, secret }) => `occ app:install user_oidc
occ user_oidc:provider Gatehouse \\
  --clientid="${clientId}" \\
  --clientsecret="${secret}" \\
  --discoveryuri="${issuer}/.well-known/openid-configuration" \\
  --scope="openid email profile groups" \\
  --unique-uid=0 --mapping-uid=sub \\
  --mapping-display-name=name --mapping-email=email \\
  --mapping-groups=groups --group-provisioning=1`,

  custom: ({ issuer, clientId, secret, redirectUri, isPublic }) =>
    [
      `issuer = ${issuer}`,
      `discovery = ${issuer}/.well-known/openid-configuration`,
      `client_id = ${clientId}`,
      ...(isPublic ? [] : [`client_secret = ${secret}`]),
      `redirect_uri = ${redirectUri}`,
      'response_type = code',
      'code_challenge_method = S256',
    ].join('\n'),
};
