{{/* The chart's name, or nameOverride. */}}
{{- define "kro-graph.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* The prefix of every object's name: the release's name, which is followed by the chart's name unless it holds it. 43 characters leave
     room for "-webhook-self-signed"; a Service's name has no dots and begins with a letter. */}}
{{- define "kro-graph.fullname" -}}
{{- $name := include "kro-graph.name" . -}}
{{- $full := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) -}}
{{- $full = .Values.fullnameOverride | default $full | replace "." "-" -}}
{{- if regexMatch "^[0-9]" $full -}}{{- $full = printf "kro-%s" $full -}}{{- end -}}
{{- $full | trunc 43 | trimAll "-" -}}
{{- end -}}

{{/* Labels by which a component's Pods are selected; they never change. Takes (dict "root" $ "component" "webhook"). */}}
{{- define "kro-graph.selectorLabels" -}}
app.kubernetes.io/name: {{ include "kro-graph.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{/* Labels of every object; the component may be absent. The chart's own win over commonLabels, but for part-of. Takes root, and maybe component
     and labels. */}}
{{- define "kro-graph.labels" -}}
{{- $own := dict
  "helm.sh/chart" (printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-")
  "app.kubernetes.io/name" (include "kro-graph.name" .root)
  "app.kubernetes.io/instance" .root.Release.Name
  "app.kubernetes.io/version" .root.Chart.AppVersion
  "app.kubernetes.io/managed-by" .root.Release.Service -}}
{{- with .component -}}{{- $_ := set $own "app.kubernetes.io/component" . -}}{{- end -}}
{{- $given := merge (dict) (.labels | default dict) (.root.Values.commonLabels | default dict) (dict "app.kubernetes.io/part-of" "kro-graph") -}}
{{- toYaml (merge $own $given) -}}
{{- end -}}

{{/* A duration of Go ("1m30s", "500ms") in milliseconds. */}}
{{- define "kro-graph.milliseconds" -}}
{{- $units := dict "ms" 1.0 "s" 1000.0 "m" 60000.0 "h" 3600000.0 -}}
{{- $sum := 0.0 -}}
{{- range regexFindAll "[0-9.]+(ms|s|m|h)" . -1 -}}
{{- $sum = addf $sum (mulf (float64 (regexFind "^[0-9.]+" .)) (get $units (regexFind "[a-z]+$" .))) -}}
{{- end -}}
{{- int64 $sum -}}
{{- end -}}

{{/* Metadata of an object. Takes root, name, and maybe component, namespaced (default true), labels, annotations, namespace. */}}
{{- define "kro-graph.metadata" -}}
name: {{ .name }}
{{- if ne (toString .namespaced) "false" }}
namespace: {{ .namespace | default .root.Release.Namespace }}
{{- end }}
labels:
  {{- include "kro-graph.labels" . | nindent 2 }}
{{- $annotations := merge (dict) (.annotations | default dict) (.root.Values.commonAnnotations | default dict) }}
{{- with $annotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* The image of both components: a digest wins over the tag, and an empty tag means the chart's appVersion. */}}
{{- define "kro-graph.image" -}}
{{- with .Values.image -}}
{{- $repository := ternary .repository (printf "%s/%s" (trimSuffix "/" (toString .registry)) .repository) (empty .registry) -}}
{{- if .digest -}}
{{- printf "%s@%s" $repository .digest -}}
{{- else -}}
{{- printf "%s:%s" $repository (default $.Chart.AppVersion .tag) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The name of a component's ServiceAccount. Takes root and component. */}}
{{- define "kro-graph.serviceAccountName" -}}
{{- $account := (index .root.Values .component).serviceAccount -}}
{{- if $account.create -}}
{{- default (printf "%s-%s" (include "kro-graph.fullname" .root) .component) $account.name -}}
{{- else -}}
{{- default "default" $account.name -}}
{{- end -}}
{{- end -}}

{{/* Does a component have more than one Pod? Takes root and component. */}}
{{- define "kro-graph.isReplicated" -}}
{{- $values := index .root.Values .component -}}
{{- $autoscaling := $values.autoscaling | default dict -}}
{{- if or (gt (int $values.replicas) 1) (and $autoscaling.enabled (gt (int $autoscaling.minReplicas) 1)) -}}true{{- end -}}
{{- end -}}

{{/* The name of the Secret that holds the webhook's certificate. */}}
{{- define "kro-graph.tlsSecretName" -}}
{{- if eq .Values.webhook.tls.mode "secret" -}}
{{- .Values.webhook.tls.secret.name -}}
{{- else -}}
{{- printf "%s-webhook-tls" (include "kro-graph.fullname" .) -}}
{{- end -}}
{{- end -}}

{{/* The names that the webhook's certificate is made for, as a JSON list: those of its Service, and the host of webhook.url. */}}
{{- define "kro-graph.dnsNames" -}}
{{- $service := printf "%s-webhook" (include "kro-graph.fullname" .) -}}
{{- $short := printf "%s.%s" $service .Release.Namespace -}}
{{- $names := list (printf "%s.svc" $short) (printf "%s.svc.%s" $short .Values.clusterDomain) $short -}}
{{- with include "kro-graph.urlHost" . -}}
{{- if not (regexMatch "^[0-9.]+$|:" .) -}}{{- $names = append $names . | uniq -}}{{- end -}}
{{- end -}}
{{- toJson $names -}}
{{- end -}}

{{/* The IP addresses that the certificate is made for, as a JSON list. */}}
{{- define "kro-graph.ipAddresses" -}}
{{- $addresses := list -}}
{{- with include "kro-graph.urlHost" . -}}
{{- if regexMatch "^[0-9.]+$|:" . -}}{{- $addresses = append $addresses . -}}{{- end -}}
{{- end -}}
{{- toJson $addresses -}}
{{- end -}}

{{/* The host of webhook.url, without port and brackets. */}}
{{- define "kro-graph.urlHost" -}}
{{- with .Values.webhook.url -}}
{{- regexReplaceAll "^https://(\\[([^\\]]+)\\]|([^/:]+))(:[0-9]+)?/?$" . "${2}${3}" -}}
{{- end -}}
{{- end -}}

{{/* Rules of files/rbac/NAME.yaml, without their comments. Takes root and file. */}}
{{- define "kro-graph.rules" -}}
{{- toYaml (.root.Files.Get (printf "files/rbac/%s.yaml" .file) | fromYamlArray) -}}
{{- end -}}
