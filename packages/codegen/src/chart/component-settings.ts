import type { TSchema } from '@gatehouse/schema';
import { settings as admin } from '../../../../services/admin/src/config.ts';
import { settings as core } from '../../../../services/core/src/config.ts';
import { configSchema as hookWorker } from '../../../../services/hook-worker/src/config.ts';
import { configSchema as mailWorker } from '../../../../services/mail-worker/src/config.ts';
import { settings as portal } from '../../../../services/portal/src/config.ts';
import { gatewaySettings } from '../../../dev/src/gateway/gateway.ts';

/** A schema of settings. Each setting is a JSON schema. */
export interface Schema extends TSchema {
  required?: string[];
  properties: Record<string, object>;
}

/** The settings of each component of the chart, by its name in `values.yaml`. */
export const COMPONENTS: Record<string, Schema> = {
  core,
  portal,
  admin,
  mailWorker,
  hookWorker,
  gateway: gatewaySettings,
};

/** Settings that the chart sets from its other values, from Secrets or from the images. */
const SET_BY_THE_CHART = new Set([
  ...['HOST', 'PORT', 'INTERNAL_HOST', 'INTERNAL_PORT', 'TRUST_PROXY', 'DRAIN_SECONDS', 'HASH_THREADS'],
  ...['ISSUER', 'PUBLIC_URL', 'ADMIN_URL', 'MAIL_FROM', 'BRAND_FILE', 'LOCALES_DIRECTORY'],
  ...[
    'SIGNING_KEYS_FILE',
    'ID_TOKEN_KEYS_FILE',
    'VERIFICATION_KEYS',
    'VERIFICATION_KEYS_FILE',
    'MAIL_PUBLIC_KEY',
  ],
  ...['WEBHOOKS', 'HOOK_PUBLIC_KEY'],
  ...['OTEL_EXPORTER_OTLP_ENDPOINT', 'GATEWAY_WORKERS'],
]);

/** The settings of a component that `values.yaml` accepts, by name. They include no secrets. */
export function openSettings(component: string): [string, object][] {
  const properties = COMPONENTS[component]?.properties ?? {};
  return Object.entries(properties).filter(
    ([name, setting]) => !isSecret(setting) && !SET_BY_THE_CHART.has(name),
  );
}

export function isSecret(setting: { writeOnly?: boolean } = {}): boolean {
  return setting.writeOnly === true;
}
