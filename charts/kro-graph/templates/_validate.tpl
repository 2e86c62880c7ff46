{{/* Combinations that a schema cannot see, each said in a sentence. Facts about the cluster are asked only where there is one: without it
     (helm template) no kinds are known, only groups. */}}
{{- define "kro-graph.validate" -}}
{{- $webhook := .Values.webhook -}}
{{- $isLive := .Capabilities.APIVersions.Has "apps/v1/Deployment" -}}
{{- $faults := list -}}
{{- if $webhook.enabled -}}
  {{- if eq $webhook.tls.mode "certManager" -}}
    {{- if and $isLive (not (.Capabilities.APIVersions.Has "cert-manager.io/v1")) -}}
      {{- $faults = append $faults "webhook.tls.mode is certManager, but this cluster has no cert-manager (cert-manager.io/v1 is not served): install it first, or set webhook.tls.mode to selfSigned, which needs nothing else" -}}
    {{- end -}}
  {{- else if eq $webhook.tls.mode "secret" -}}
    {{- if not $webhook.tls.secret.name -}}
      {{- $faults = append $faults "webhook.tls.mode is secret, but webhook.tls.secret.name is empty: name the Secret with tls.crt and tls.key" -}}
    {{- end -}}
    {{- $isInjected := false -}}
    {{- range $key, $_ := $webhook.annotations -}}{{- if hasPrefix "cert-manager.io/inject-" $key -}}{{- $isInjected = true -}}{{- end -}}{{- end -}}
    {{- if not (or $webhook.tls.secret.caBundle $isInjected) -}}
      {{- $faults = append $faults "webhook.tls.mode is secret, but webhook.tls.secret.caBundle is empty: the API server would trust no certificate; give the CA that signed it (--set-file webhook.tls.secret.caBundle=ca.crt)" -}}
    {{- end -}}
  {{- end -}}
  {{- if and $webhook.hostNetwork (eq (int $webhook.containerPort) 10250) -}}
    {{- $faults = append $faults "webhook.hostNetwork is true, but port 10250 of a node is the kubelet's: set webhook.containerPort to another one" -}}
  {{- end -}}
  {{- if eq (int $webhook.containerPort) (int .Values.metrics.port) -}}
    {{- $faults = append $faults (printf "webhook.containerPort and metrics.port are both %d" (int $webhook.containerPort)) -}}
  {{- end -}}
  {{- with $webhook.autoscaling -}}
    {{- if and .enabled (gt (int .minReplicas) (int .maxReplicas)) -}}
      {{- $faults = append $faults "webhook.autoscaling.minReplicas is more than maxReplicas" -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- if has (int .Values.metrics.port) (list 8081) -}}
  {{- $faults = append $faults "metrics.port is 8081, which is the port of the probes" -}}
{{- end -}}
{{- if and .Values.rbac.constrainedImpersonation (semverCompare "<1.36.0-0" .Capabilities.KubeVersion.Version) -}}
  {{- $faults = append $faults (printf "rbac.constrainedImpersonation needs Kubernetes 1.36 or later, this is %s: without it the controller could not act as any ServiceAccount" .Capabilities.KubeVersion.Version) -}}
{{- end -}}
{{- if and .Values.rbac.impersonateNamespaces (not .Values.rbac.create) -}}
  {{- $faults = append $faults "rbac.impersonateNamespaces is set, but rbac.create is false" -}}
{{- end -}}
{{- $monitoring := dict "podMonitor" "PodMonitor" "serviceMonitor" "ServiceMonitor" "prometheusRule" "PrometheusRule" -}}
{{- range $key, $kind := $monitoring -}}
  {{- if (index $.Values.metrics $key).enabled -}}
    {{- if and $isLive (not ($.Capabilities.APIVersions.Has (printf "monitoring.coreos.com/v1/%s" $kind))) -}}
      {{- $faults = append $faults (printf "metrics.%s.enabled is true, but this cluster does not serve %s (monitoring.coreos.com/v1): install the Prometheus Operator first" $key $kind) -}}
    {{- end -}}
    {{- if and (not $.Values.metrics.enabled) (ne $key "prometheusRule") -}}
      {{- $faults = append $faults (printf "metrics.%s.enabled is true, but metrics.enabled is false" $key) -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- if $faults -}}
{{- fail (printf "\n\nThese values cannot work:\n- %s\n" (join "\n- " $faults)) -}}
{{- end -}}
{{- end -}}
