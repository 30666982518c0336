{{/* Common to all pods. Arguments: root, name, user. */}}
{{- define "gatehouse.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: {{ .user }}
  runAsGroup: {{ .user }}
  fsGroup: {{ .user }}
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{/* Spreads the instances of a component over nodes and zones. */}}
{{- define "gatehouse.placement" -}}
topologySpreadConstraints:
  {{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ $key }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "gatehouse.selector" $ | nindent 8 }}
  {{- end }}
{{- with .values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "gatehouse.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{/*
Settings as environment: those that all components share, where this one has them, and its own. toJson, as Helm reads
numbers as floats, and would write 2592000 as 2.592e+06.
*/}}
{{- define "gatehouse.settings" -}}
{{- $known := index (.root.Files.Get "files/settings.json" | fromJson) (include "gatehouse.key" .name) -}}
{{- $given := dict -}}
{{- range $setting, $value := .root.Values.settings -}}
{{- if has $setting $known }}{{ $_ := set $given $setting $value }}{{ end -}}
{{- end -}}
{{- range $setting, $value := .values.settings }}{{ $_ := set $given $setting $value }}{{ end -}}
{{- range $setting, $value := $given }}
- name: {{ $setting }}
  value: {{ kindIs "string" $value | ternary $value (toJson $value) | quote }}
{{- end -}}
{{- end }}

{{/* Arguments: the name of a setting, and of the file below /run/secrets. */}}
{{- define "gatehouse.secretFile" -}}
- name: {{ first . }}_FILE
  value: /run/secrets/{{ last . }}
{{- end }}
