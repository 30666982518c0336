{{/* Arguments of most of these: dict "root" $ "name" of the component, as in `mail-worker`. */}}

{{- define "gatehouse.fullname" -}}
{{ .root.Release.Name | trunc 40 | trimSuffix "-" }}-{{ .name }}
{{- end }}

{{/* Labels that never change and select pods. */}}
{{- define "gatehouse.selector" -}}
app.kubernetes.io/name: gatehouse
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end }}

{{- define "gatehouse.labels" -}}
{{ include "gatehouse.selector" . }}
app.kubernetes.io/part-of: gatehouse
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{/* The services that run, as in `core portal`. */}}
{{- define "gatehouse.services" -}}
core portal admin mail-worker{{ if .Values.hookWorker.enabled }} hook-worker{{ end }}
{{- end }}

{{/* The name of a component in the values: mailWorker for `mail-worker`. */}}
{{- define "gatehouse.key" -}}
{{ . | camelcase | untitle }}
{{- end }}

{{- define "gatehouse.image" -}}
{{- $image := .root.Values.image -}}
{{- $digest := index $image.digests (include "gatehouse.key" .name) -}}
{{- if $digest -}}
{{ $image.prefix }}/{{ .name }}@{{ $digest }}
{{- else -}}
{{ $image.prefix }}/{{ .name }}:{{ default .root.Chart.AppVersion $image.tag }}
{{- end -}}
{{- end }}

{{/* The host of an address, without a port. */}}
{{- define "gatehouse.host" -}}
{{ regexReplaceAll ":[0-9]+$" (urlParse .).host "" }}
{{- end }}
