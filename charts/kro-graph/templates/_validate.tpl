{{/* Combinations that a schema cannot see, each said in a sentence. Facts about the cluster are asked only where there is one: without it
     (helm template) no kinds are known, only groups. */}}
{{- define "kro-graph.validate" -}}
{{- $webhook := .Values.webhook -}}
{{- $isLive := .Capabilities.APIVersions.Has "apps/v1/Deployment" -}}
{{- $faults := list -}}
{{- /* What the processes take, in milliseconds (src/service/options.ts): else their Pods would not start. */}}
{{- $bounds := list
  (list "webhook.deadline" $webhook.deadline 100 30000 "100ms to 30s")
  (list "webhook.tls.selfSigned.caDuration" $webhook.tls.selfSigned.caDuration 60000 3153600000000 "1m to 876000h")
  (list "webhook.tls.selfSigned.duration" $webhook.tls.selfSigned.duration 60000 3153600000000 "1m to 876000h")
  (list "controller.backoff.min" .Values.controller.backoff.min 10 86400000 "10ms to 24h")
  (list "controller.backoff.max" .Values.controller.backoff.max 10 86400000 "10ms to 24h")
  (list "controller.leaderElection.leaseDuration" .Values.controller.leaderElection.leaseDuration 100 86400000 "100ms to 24h")
  (list "controller.leaderElection.renewDeadline" .Values.controller.leaderElection.renewDeadline 100 86400000 "100ms to 24h")
  (list "controller.leaderElection.retryPeriod" .Values.controller.leaderElection.retryPeriod 100 86400000 "100ms to 24h") -}}
{{- range $bounds -}}
  {{- $milliseconds := int64 (include "kro-graph.milliseconds" (index . 1)) -}}
  {{- if or (lt $milliseconds (int64 (index . 2))) (gt $milliseconds (int64 (index . 3))) -}}
    {{- $faults = append $faults (printf "%s is %s: expected %s" (index . 0) (index . 1) (index . 4)) -}}
  {{- end -}}
{{- end -}}
{{- if $webhook.enabled -}}
  {{- if eq $webhook.tls.mode "certManager" -}}
    {{- if and $isLive (not (.Capabilities.APIVersions.Has "cert-manager.io/v1")) -}}
      {{- $faults = append $faults "webhook.tls.mode is certManager, but this cluster has no cert-manager (cert-manager.io/v1 is not served): install it first, or set webhook.tls.mode to selfSigned, which needs nothing else" -}}
    {{- end -}}
    {{- range $life, $before := dict "duration" "renewBefore" "caDuration" "caRenewBefore" -}}
      {{- $settings := $webhook.tls.certManager -}}
      {{- if le (int64 (include "kro-graph.milliseconds" (get $settings $life))) (int64 (include "kro-graph.milliseconds" (get $settings $before))) -}}
        {{- $faults = append $faults (printf "webhook.tls.certManager.%s (%s) is not below %s (%s)" $before (get $settings $before) $life (get $settings $life)) -}}
      {{- end -}}
    {{- end -}}
  {{- else if eq $webhook.tls.mode "secret" -}}
    {{- if not $webhook.tls.secret.name -}}
      {{- $faults = append $faults "webhook.tls.mode is secret, but webhook.tls.secret.name is empty: name the Secret with tls.crt and tls.key" -}}
    {{- end -}}
    {{- $isInjected := false -}}
    {{- range $key, $_ := $webhook.annotations -}}{{- if hasPrefix "cert-manager.io/inject-" $key -}}{{- $isInjected = true -}}{{- end -}}{{- end -}}
    {{- with $webhook.tls.secret.caBundle -}}
    {{- if not (contains "-----BEGIN CERTIFICATE-----" (cat . (b64dec .))) -}}
      {{- $faults = append $faults "webhook.tls.secret.caBundle holds no certificate (-----BEGIN CERTIFICATE-----): give the PEM file of the CA, as it is or in base64" -}}
    {{- end -}}
    {{- end -}}
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
  {{- if eq (int $webhook.containerPort) 8081 -}}
    {{- $faults = append $faults "webhook.containerPort is 8081, which is the port of the probes" -}}
  {{- end -}}
  {{- if ge (int64 (include "kro-graph.milliseconds" $webhook.deadline)) (mul 1000 $webhook.timeoutSeconds) -}}
    {{- $faults = append $faults (printf "webhook.deadline (%s) is not below webhook.timeoutSeconds (%d): the API server would no longer wait for the answer" $webhook.deadline (int $webhook.timeoutSeconds)) -}}
  {{- end -}}
  {{- $conditions := ternary (list "spec-changed" "not-deleting") (list) $webhook.matchConditions -}}
  {{- range $webhook.extraMatchConditions -}}
    {{- if has .name $conditions -}}{{- $faults = append $faults (printf "webhook.extraMatchConditions: there is another condition named %q" .name) -}}{{- end -}}
    {{- $conditions = append $conditions .name -}}
  {{- end -}}
  {{- $accounts := list (include "kro-graph.serviceAccountName" (dict "root" . "component" "webhook")) (include "kro-graph.serviceAccountName" (dict "root" . "component" "controller")) -}}
  {{- if eq (first $accounts) (last $accounts) -}}
    {{- $faults = append $faults (printf "webhook and controller would share the ServiceAccount %q: each needs one of its own (webhook.serviceAccount.name, controller.serviceAccount.name), since only the controller may impersonate" (first $accounts)) -}}
  {{- end -}}
  {{- with $webhook.autoscaling -}}
    {{- if and .enabled (gt (int .minReplicas) (int .maxReplicas)) -}}
      {{- $faults = append $faults "webhook.autoscaling.minReplicas is more than maxReplicas" -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- range $where, $labels := dict "commonLabels" .Values.commonLabels "webhook.podLabels" $webhook.podLabels "controller.podLabels" .Values.controller.podLabels -}}
  {{- range list "app.kubernetes.io/name" "app.kubernetes.io/instance" "app.kubernetes.io/component" -}}
    {{- if hasKey ($labels | default dict) . -}}
      {{- $faults = append $faults (printf "%s sets %s, by which the chart selects its Pods: see nameOverride" $where .) -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- with .Values.controller.leaderElection -}}
  {{- $duration := int64 (include "kro-graph.milliseconds" .leaseDuration) -}}
  {{- $deadline := int64 (include "kro-graph.milliseconds" .renewDeadline) -}}
  {{- $period := int64 (include "kro-graph.milliseconds" .retryPeriod) -}}
  {{- if or (le $duration $deadline) (le $deadline $period) -}}
    {{- $faults = append $faults (printf "controller.leaderElection: expected leaseDuration > renewDeadline > retryPeriod, found %s, %s, %s" .leaseDuration .renewDeadline .retryPeriod) -}}
  {{- end -}}
{{- end -}}
{{- with .Values.controller.backoff -}}
  {{- if gt (int64 (include "kro-graph.milliseconds" .min)) (int64 (include "kro-graph.milliseconds" .max)) -}}
    {{- $faults = append $faults (printf "controller.backoff.min (%s) is more than max (%s)" .min .max) -}}
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
