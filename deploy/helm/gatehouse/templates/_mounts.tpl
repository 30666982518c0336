{{/* Mounts of a service: its Secrets and brand files. Arguments: root, name. */}}
{{- define "gatehouse.mounts" -}}
- { name: secrets, mountPath: /run/secrets, readOnly: true }
- { name: tmp, mountPath: /tmp }
{{- if not (hasSuffix "-worker" .name) }}
- { name: keys, mountPath: /keys, readOnly: true }
{{- end }}
{{- if eq .name "core" }}
- { name: core-keys, mountPath: /core-keys, readOnly: true }
{{- end }}
{{- if and .root.Values.clientsSecret (eq .name "admin") }}
- { name: clients, mountPath: /clients, readOnly: true }
{{- end }}
{{- if and .root.Values.brandConfigMap (not (has .name (list "core" "hook-worker"))) }}
- { name: brand, mountPath: /brand, readOnly: true }
{{- end }}
{{- if and .root.Values.localesConfigMap (ne .name "hook-worker") }}
- { name: locales, mountPath: /locales, readOnly: true }
{{- end }}
{{- end }}

{{- define "gatehouse.volumes" -}}
{{- $secrets := .root.Values.secrets -}}
# Modes are 0440: for the user of the pod, by its group.
- name: secrets
  secret: { secretName: {{ index $secrets (include "gatehouse.key" .name) }}, defaultMode: 288 }
- name: tmp
  emptyDir: { medium: Memory, sizeLimit: 16Mi }
{{- if not (hasSuffix "-worker" .name) }}
# A folder, because files that are mounted one by one are not updated when keys rotate.
- name: keys
  secret: { secretName: {{ ternary $secrets.portalKeys $secrets.issuingKeys (eq .name "portal") }}, defaultMode: 288 }
{{- end }}
{{- if eq .name "core" }}
- name: core-keys
  secret: { secretName: {{ $secrets.coreKeys }}, defaultMode: 288 }
{{- end }}
{{- if and .root.Values.clientsSecret (eq .name "admin") }}
- name: clients
  secret: { secretName: {{ .root.Values.clientsSecret }}, defaultMode: 288 }
{{- end }}
{{- if and .root.Values.brandConfigMap (not (has .name (list "core" "hook-worker"))) }}
- name: brand
  configMap: { name: {{ .root.Values.brandConfigMap }} }
{{- end }}
{{- if and .root.Values.localesConfigMap (ne .name "hook-worker") }}
- name: locales
  configMap: { name: {{ .root.Values.localesConfigMap }} }
{{- end }}
{{- end }}
