{{/* The environment of a service. Arguments: root, name, values. The rest is in the image or has defaults. */}}
{{- define "gatehouse.environment" -}}
{{- $values := .root.Values -}}
{{- $isApi := not (hasSuffix "-worker" .name) -}}
{{- $issues := has .name (list "core" "admin") -}}
{{ include "gatehouse.secretFile" (list "DATABASE_URL" (printf "%s-database-url" .name)) }}
{{ include "gatehouse.secretFile" (list "AMQP_URL" "amqp-url") }}
{{- if ne .name "hook-worker" }}
- name: PUBLIC_URL
  value: {{ default $values.issuer $values.publicUrl | quote }}
{{- end }}
{{- if $isApi }}
- name: ISSUER
  value: {{ $values.issuer | quote }}
- name: TRUST_PROXY
  value: {{ join "," $values.podRanges | quote }}
# After preStop, for open connections.
- name: DRAIN_SECONDS
  value: '5'
- name: HASH_THREADS
  valueFrom: { resourceFieldRef: { containerName: {{ .name }}, resource: limits.cpu, divisor: '1' } }
- name: MAIL_PUBLIC_KEY_FILE
  value: /keys/mail-public-key
{{ include "gatehouse.secretFile" (list "REDIS_URL" "redis-url") }}
{{ include "gatehouse.secretFile" (list "PASSWORD_PEPPER" "password-pepper") }}
{{- else if eq .name "hook-worker" }}
{{ include "gatehouse.secretFile" (list "HOOK_KEY" "hook-key") }}
{{- else }}
- name: MAIL_FROM
  value: {{ $values.mailFrom | quote }}
{{ include "gatehouse.secretFile" (list "MAIL_KEY" "mail-key") }}
{{ include "gatehouse.secretFile" (list "SMTP_URL" "smtp-url") }}
{{- end }}
{{- if $issues }}
- name: ADMIN_URL
  value: {{ $values.adminUrl | quote }}
- name: SIGNING_KEYS_FILE
  value: /keys/signing-keys.json
{{ include "gatehouse.secretFile" (list "TOKEN_SECRET" "token-secret") }}
{{ include "gatehouse.secretFile" (list "TWO_FACTOR_KEY" "two-factor-key") }}
{{- end }}
{{- if eq .name "core" }}
- name: ID_TOKEN_KEYS_FILE
  value: /core-keys/id-token-keys.json
{{- end }}
{{- if eq .name "portal" }}
- name: VERIFICATION_KEYS_FILE
  value: /keys/verification-keys.json
- name: PORTAL_SECRET_FILE
  value: /keys/portal-secret
{{- end }}
{{- if eq .name "admin" }}
{{ include "gatehouse.secretFile" (list "FIRST_ADMIN_PASSWORD" "first-admin-password") }}
{{ include "gatehouse.secretFile" (list "SSO_PROVIDERS" "sso-providers") }}
{{ include "gatehouse.secretFile" (list "HOOK_PUBLIC_KEY" "hook-public-key") }}
{{- if $values.clientsSecret }}
- name: OAUTH_CLIENTS_FILE
  value: /clients/clients.json
{{- end }}
{{- end }}
{{- if and $values.httpsProxy (has .name (list "admin" "hook-worker")) }}
{{ include "gatehouse.secretFile" (list "HTTPS_PROXY" "https-proxy") }}
{{- end }}
{{- if and $values.hookWorker.enabled $issues }}
- name: WEBHOOKS
  value: 'on'
{{- end }}
{{- if and $values.brandConfigMap (not (has .name (list "core" "hook-worker"))) }}
- name: BRAND_FILE
  value: /brand/brand.json
{{- end }}
{{- if and $values.localesConfigMap (ne .name "hook-worker") }}
- name: LOCALES_DIRECTORY
  value: /locales
{{- end }}
{{- with $values.tracing.endpoint }}
- name: OTEL_EXPORTER_OTLP_ENDPOINT
  value: {{ . | quote }}
{{- if $values.tracing.headers }}
{{ include "gatehouse.secretFile" (list "OTEL_EXPORTER_OTLP_HEADERS" "otel-headers") }}
{{- end }}
{{- end }}
{{- include "gatehouse.settings" . }}
{{- end }}
