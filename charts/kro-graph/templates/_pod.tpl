{{/* Flags that both processes take. */}}
{{- define "kro-graph.commonArgs" -}}
- --log-level={{ .Values.log.level }}
- --log-format={{ .Values.log.format }}
- --metrics-port={{ ternary (int .Values.metrics.port) 0 .Values.metrics.enabled }}
- --limits-collection-size={{ int64 .Values.limits.collectionSize }}
- --limits-compile-steps={{ int64 .Values.limits.compileSteps }}
- --limits-expression-steps={{ int64 .Values.limits.expressionSteps }}
- --limits-reconcile-steps={{ int64 .Values.limits.reconcileSteps }}
{{- end -}}

{{/* The Deployment's spec of a component. Takes root, component, args, ports, volumes, volumeMounts and annotations (YAML texts). */}}
{{- define "kro-graph.deploymentSpec" -}}
{{- $root := .root -}}
{{- $values := index $root.Values .component -}}
{{- $autoscaling := $values.autoscaling | default dict -}}
{{- $selector := include "kro-graph.selectorLabels" . -}}
{{- if not $autoscaling.enabled }}
replicas: {{ int $values.replicas }}
{{- end }}
revisionHistoryLimit: 3
selector:
  matchLabels:
    {{- $selector | nindent 4 }}
strategy:
  type: RollingUpdate
  {{- with ($values.strategy | default dict).rollingUpdate }}
  rollingUpdate:
    {{- toYaml . | nindent 4 }}
  {{- end }}
template:
  metadata:
    labels:
      {{- include "kro-graph.labels" (dict "root" $root "component" .component "labels" $values.podLabels) | nindent 6 }}
    annotations:
      {{- with merge (dict "kubectl.kubernetes.io/default-container" .component) ($values.podAnnotations | default dict) ($root.Values.commonAnnotations | default dict) }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
  spec:
    serviceAccountName: {{ include "kro-graph.serviceAccountName" . }}
    automountServiceAccountToken: {{ $values.serviceAccount.automount }}
    # The processes find the API server by its environment variables; those of other Services are of no use.
    enableServiceLinks: false
    {{- with $root.Values.imagePullSecrets }}
    imagePullSecrets:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    {{- with $values.priorityClassName }}
    priorityClassName: {{ . }}
    {{- end }}
    {{- if $values.hostNetwork }}
    hostNetwork: true
    {{- end }}
    {{- with $values.dnsPolicy | default (ternary "ClusterFirstWithHostNet" "" $values.hostNetwork) }}
    dnsPolicy: {{ . }}
    {{- end }}
    terminationGracePeriodSeconds: {{ int $values.terminationGracePeriodSeconds }}
    securityContext:
      {{- toYaml $values.podSecurityContext | nindent 6 }}
    containers:
      - name: {{ .component }}
        image: {{ include "kro-graph.image" $root }}
        imagePullPolicy: {{ $root.Values.image.pullPolicy }}
        args:
          - {{ .component }}
          {{- include "kro-graph.commonArgs" $root | nindent 10 }}
          {{- .args | nindent 10 }}
          {{- with $values.extraArgs }}
          {{- toYaml . | nindent 10 }}
          {{- end }}
        env:
          {{- $isGiven := false }}
          {{- range $values.extraEnv }}{{ if eq .name "NODE_OPTIONS" }}{{ $isGiven = true }}{{ end }}{{ end }}
          {{- if not $isGiven }}
          - name: NODE_OPTIONS
            value: {{ $values.nodeOptions | quote }}
          {{- end }}
          {{- with $values.extraEnv }}
          {{- toYaml . | nindent 10 }}
          {{- end }}
        ports:
          {{- with .ports }}
          {{- . | nindent 10 }}
          {{- end }}
          - name: probes
            containerPort: 8081
            protocol: TCP
          {{- if $root.Values.metrics.enabled }}
          - name: metrics
            containerPort: {{ int $root.Values.metrics.port }}
            protocol: TCP
          {{- end }}
        livenessProbe:
          httpGet:
            path: /livez
            port: probes
          {{- with $values.livenessProbe }}
          {{- toYaml . | nindent 10 }}
          {{- end }}
        readinessProbe:
          httpGet:
            path: /readyz
            port: probes
          {{- with $values.readinessProbe }}
          {{- toYaml . | nindent 10 }}
          {{- end }}
        startupProbe:
          httpGet:
            path: /livez
            port: probes
          {{- with $values.startupProbe }}
          {{- toYaml . | nindent 10 }}
          {{- end }}
        resources:
          {{- toYaml $values.resources | nindent 10 }}
        securityContext:
          {{- toYaml $values.securityContext | nindent 10 }}
        {{- if or .volumeMounts $values.extraVolumeMounts }}
        volumeMounts:
          {{- with .volumeMounts }}
          {{- . | nindent 10 }}
          {{- end }}
          {{- with $values.extraVolumeMounts }}
          {{- toYaml . | nindent 10 }}
          {{- end }}
        {{- end }}
    {{- if or .volumes $values.extraVolumes }}
    volumes:
      {{- with .volumes }}
      {{- . | nindent 6 }}
      {{- end }}
      {{- with $values.extraVolumes }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
    {{- end }}
    {{- with $values.nodeSelector }}
    nodeSelector:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    {{- with $values.tolerations }}
    tolerations:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    {{- with $values.affinity }}
    affinity:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    topologySpreadConstraints:
      {{- if $values.topologySpreadConstraints }}
      {{- toYaml $values.topologySpreadConstraints | nindent 6 }}
      {{- else }}
      {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
      - maxSkew: 1
        topologyKey: {{ . }}
        whenUnsatisfiable: ScheduleAnyway
        labelSelector:
          matchLabels:
            {{- $selector | nindent 12 }}
        matchLabelKeys: [pod-template-hash]
      {{- end }}
      {{- end }}
{{- end -}}
