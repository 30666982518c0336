/** Products whose settings the console knows (docs/applications), and an application of any other kind. */
export const PRESETS = ['grafana', 'gitlab', 'oauth2-proxy', 'nextcloud', 'custom'] as const;

export type Preset = (typeof PRESETS)[number];

interface Product {
  name: string;
  /** The path at its own address to which browsers return. */
  callback: string;
}

const PRODUCTS: Record<Exclude<Preset, 'custom'>, Product> = {
  grafana: { name: 'Grafana', callback: '/login/generic_oauth' },
  gitlab: { name: 'GitLab', callback: '/users/auth/openid_connect/callback' },
  'oauth2-proxy': { name: 'oauth2-proxy', callback: '/oauth2/callback' },
  nextcloud: { name: 'Nextcloud', callback: '/apps/user_oidc/code' },
};

export function presetIn(value: string | undefined): Preset {
  return PRESETS.find((one) => one === value) ?? 'custom';
}

/** The name of the product; `undefined` for a custom application. */
export function productOf(preset: Preset): Product | undefined {
  return preset === 'custom' ? undefined : PRODUCTS[preset];
}

/** The product that returns to one of these addresses. */
export function presetOf(redirectUris: readonly string[]): Preset {
  return (
    PRESETS.find((preset) => {
      const path = productOf(preset)?.callback;
      return path !== undefined && redirectUris.some((uri) => uri.endsWith(path));
    }) ?? 'custom'
  );
}

/** The address to which browsers return, of a product at this address. */
export function callbackAt(preset: Preset, address: string): string {
  const product = productOf(preset);
  if (product === undefined) return address;
  return `${address.endsWith('/') ? address.slice(0, -1) : address}${product.callback}`;
}
