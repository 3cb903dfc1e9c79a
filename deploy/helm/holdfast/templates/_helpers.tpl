{{- define "holdfast.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end }}

{{- define "holdfast.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}{{ .repository }}@{{ .digest }}{{- else -}}{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}{{- end -}}
{{- end -}}
{{- end }}

{{/* That of the canary, where there is one. */}}
{{- define "holdfast.newestImage" -}}
{{- $image := .Values.image -}}
{{- with .Values.worker.canary -}}
{{- if .replicas -}}{{- $image = dict "repository" $image.repository "tag" .tag "digest" .digest -}}{{- end -}}
{{- end -}}
{{- include "holdfast.image" (dict "Values" (dict "image" $image) "Chart" .Chart) -}}
{{- end }}

{{/* What never changes of a part, for selectors; takes a dict of root and part. */}}
{{- define "holdfast.selector" -}}
app.kubernetes.io/name: holdfast
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{- define "holdfast.labels" -}}
{{ include "holdfast.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{/* What a process is given of the Secret, by the names of the settings; the migration, `.isMigration`, no key. */}}
{{- define "holdfast.secrets" -}}
{{- $secrets := list "DATABASE_URL" "CARD_NUMBER_KEYS" "SECURITY_CODE_KEYS" "PAYLOAD_KEYS" "FINGERPRINT_KEY" "API_SECRET_HASH_KEY" "CLIENT_SECRET_KEY" }}
{{- if .isMigration }}{{ $secrets = list "DATABASE_URL" }}{{ end }}
{{- if .Values.temporal.apiKey }}{{ $secrets = append $secrets "TEMPORAL_API_KEY" }}{{ end }}
{{- toJson $secrets }}
{{- end }}

{{/*
The environment of every process. It is not in a ConfigMap, since the migration runs before one of the chart could exist, and
since a change of it is to restart the pods.
*/}}
{{- define "holdfast.environment" -}}
{{- range $name, $value := .Values.settings }}
{{- if ne (toString $value) "" }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}
{{- range include "holdfast.secrets" . | fromJsonArray }}
- name: {{ . }}_FILE
  value: /run/secrets/holdfast/{{ . }}
{{- end }}
{{- if .Values.temporal.tlsSecret }}
- name: TEMPORAL_TLS_SERVER_CA_CERT_PATH
  value: /run/secrets/temporal/ca.crt
- name: TEMPORAL_TLS_CLIENT_CERT_PATH
  value: /run/secrets/temporal/tls.crt
- name: TEMPORAL_TLS_CLIENT_KEY_PATH
  value: /run/secrets/temporal/tls.key
{{- end }}
{{- end }}

{{- define "holdfast.mounts" -}}
- name: secrets
  mountPath: /run/secrets/holdfast
  readOnly: true
{{- if .Values.temporal.tlsSecret }}
- name: temporal
  mountPath: /run/secrets/temporal
  readOnly: true
{{- end }}
- name: tmp
  mountPath: /tmp
{{- end }}

{{/* Of every process that takes payments, and of the migration. */}}
{{- define "holdfast.volumes" -}}
- name: secrets
  secret:
    secretName: {{ .Values.existingSecret }}
    defaultMode: 0440
    items:
      {{- $root := . }}
      {{- range include "holdfast.secrets" . | fromJsonArray }}
      - key: {{ if and $root.isMigration $root.Values.ownerOfTables (eq . "DATABASE_URL") }}OWNER_DATABASE_URL{{ else }}{{ . }}{{ end }}
        path: {{ . }}
      {{- end }}
{{- with .Values.temporal.tlsSecret }}
- name: temporal
  secret:
    secretName: {{ . }}
    defaultMode: 0440
{{- end }}
- name: tmp
  emptyDir:
    sizeLimit: 256Mi
{{- end }}

{{/* The annotations of the pods of a part, with those by which Prometheus finds them; takes a dict of root and own. */}}
{{- define "holdfast.annotations" -}}
{{- $annotations := .own }}
{{- if .root.Values.metrics.enabled }}
{{- $found := dict "prometheus.io/scrape" "true" "prometheus.io/port" "9464" "prometheus.io/path" "/metrics" }}
{{- $annotations = merge dict .own $found }}
{{- end }}
{{- with $annotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "holdfast.metricsEnvironment" -}}
{{- if .Values.metrics.enabled }}
- name: METRICS_HOST
  value: 0.0.0.0
- name: METRICS_PORT
  value: "9464"
{{- end }}
{{- end }}

{{- define "holdfast.metricsPort" -}}
{{- if .Values.metrics.enabled }}
- name: metrics
  containerPort: 9464
{{- end }}
{{- end }}

{{/* The image runs as the user `node`, whose id is 1000. */}}
{{- define "holdfast.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Takes the root, with another image beside its fields where it is not that of the release. */}}
{{- define "holdfast.container" -}}
image: {{ .image | default (include "holdfast.image" .) | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end }}

{{/* Over zones first, then over hosts; where that cannot be done, a pod is still better than none. */}}
{{- define "holdfast.spread" -}}
{{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
- maxSkew: 1
  topologyKey: {{ . }}
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      {{- include "holdfast.selector" $ | nindent 6 }}
{{- end }}
{{- end }}

{{/* Of a process that answers for its health on this port; a start takes seconds, a busy one some more. */}}
{{- define "holdfast.probes" -}}
startupProbe:
  httpGet: { path: /health/live, port: http }
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /health/live, port: http }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /health/ready, port: http }
  periodSeconds: 5
  timeoutSeconds: 4
  failureThreshold: 3
{{- end }}
