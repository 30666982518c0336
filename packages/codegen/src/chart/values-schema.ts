import type { TSchema } from '@gatehouse/schema';
import { settings as admin } from '../../../../services/admin/src/config.ts';
import { settings as core } from '../../../../services/core/src/config.ts';
import { configSchema as hookWorker } from '../../../../services/hook-worker/src/config.ts';
import { configSchema as mailWorker } from '../../../../services/mail-worker/src/config.ts';
import { settings as portal } from '../../../../services/portal/src/config.ts';
import { gatewaySettings } from '../../../dev/src/gateway/gateway.ts';

type Json = Record<string, unknown>;

const text: Json = { type: 'string' };
const filled: Json = { ...text, minLength: 1 };
const flag: Json = { type: 'boolean' };
const texts: Json = { type: 'object', additionalProperties: text };
const count = (minimum: number): Json => ({ type: 'integer', minimum });
const list = (items: Json): Json => ({ type: 'array', items });
/** An object that Kubernetes itself validates. */
const anyObject: Json = { type: 'object' };
const peers = list(anyObject);

function named(names: string[], schema: Json): Json {
  return Object.fromEntries(names.map((one) => [one, schema]));
}

function closed(properties: Json, required?: string[]): Json {
  return { type: 'object', additionalProperties: false, ...(required && { required }), properties };
}

/** `values.schema.json`: Helm rejects unknown names, and settings that the services would reject. */
export function valuesSchema(): Json {
  const address = { ...text, pattern: '^https?://[^/]' };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...closed(
      {
        global: anyObject,
        issuer: address,
        publicUrl: { ...text, pattern: '^$|^https?://[^/]' },
        adminUrl: address,
        mailFrom: filled,
        podRanges: { ...list({ ...text, pattern: '^[0-9A-Fa-f.:]+(/[0-9]+)?$' }), minItems: 1 },
        settings: settingsSchema(),
        image: closed({
          prefix: filled,
          tag: { ...text, not: { const: 'latest' } },
          digests: { type: 'object', additionalProperties: { ...text, pattern: '^sha256:[0-9a-f]{64}$' } },
          pullPolicy: { enum: ['IfNotPresent', 'Always', 'Never'] },
          pullSecrets: list(text),
        }),
        secrets: closed(
          named(
            [
              'core',
              'portal',
              'admin',
              'mailWorker',
              'hookWorker',
              'migrate',
              'issuingKeys',
              'portalKeys',
              'coreKeys',
            ],
            filled,
          ),
        ),
        ...components(),
        ...around(),
      },
      ['issuer', 'adminUrl', 'mailFrom', 'podRanges'],
    ),
  };
}

function components(): Json {
  const resources = {
    ...anyObject,
    required: ['limits'],
    properties: { limits: { ...anyObject, required: ['cpu', 'memory'] } },
  };
  const component = (name: string, more: Json = {}) =>
    closed({
      replicas: count(1),
      settings: settingsOf(name),
      resources,
      podAnnotations: texts,
      nodeSelector: texts,
      tolerations: list(anyObject),
      ...more,
    });
  const autoscaling = closed({
    enabled: flag,
    maxReplicas: count(1),
    cpuPercent: { ...count(1), maximum: 100 },
  });
  return {
    core: component('core', { autoscaling }),
    portal: component('portal', { autoscaling }),
    admin: component('admin', { autoscaling }),
    mailWorker: component('mailWorker'),
    hookWorker: component('hookWorker', { enabled: flag }),
    gateway: component('gateway'),
    migrate: closed({ hook: flag, resources }),
  };
}

function around(): Json {
  const ports = { ...list({ ...count(1), maximum: 65_535 }), minItems: 1 };
  const destination = closed({ ports, to: peers });
  const destinations = [
    'dns',
    'postgres',
    'redis',
    'rabbitmq',
    'smtp',
    'webhooks',
    'identityProviders',
    'proxy',
    'traces',
  ];
  return {
    brandConfigMap: text,
    clientsSecret: text,
    httpsProxy: flag,
    localesConfigMap: text,
    ingress: closed({
      enabled: flag,
      admin: flag,
      className: text,
      annotations: texts,
      publicTlsSecret: text,
      adminTlsSecret: text,
    }),
    httpRoute: closed({ enabled: flag, admin: flag, parentRefs: list(anyObject) }),
    networkPolicy: closed({
      enabled: flag,
      gatewayFrom: peers,
      metricsFrom: peers,
      ...named(destinations, destination),
    }),
    tracing: closed({ endpoint: { ...text, pattern: '^$|^https?://[^/]' }, headers: flag }),
    serviceMonitor: closed({ enabled: flag, interval: text, labels: texts }),
    prometheusRule: closed({ enabled: flag, labels: texts }),
    demo: closed({
      enabled: flag,
      secret: filled,
      images: closed(named(['postgres', 'redis', 'rabbitmq', 'inbox'], filled)),
    }),
  };
}

function settingsSchema(): Json {
  const settings = Object.keys(COMPONENTS)
    .flatMap((component) => openSettings(component))
    .toSorted(([a], [b]) => a.localeCompare(b));
  return closed(Object.fromEntries(settings.map(([name, setting]) => [name, schemaOf(setting)])));
}

/** A setting is checked alike in all components. */
function settingsOf(component: string): Json {
  const names = openSettings(component).map(([name]) => name);
  return closed(
    Object.fromEntries(
      names.toSorted().map((name) => [name, { $ref: `#/properties/settings/properties/${name}` }]),
    ),
  );
}

/** Defaults are left out: they are those of the services. */
const KEPT = new Set('description type enum minimum maximum minLength maxLength pattern'.split(' '));

function schemaOf(setting: object): Json {
  return Object.fromEntries(Object.entries(setting).filter(([keyword]) => KEPT.has(keyword)));
}

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
