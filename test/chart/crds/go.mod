// Not built: the place from which a test takes the definitions of kinds that the chart can make (example/prometheus-operator-crd).
module kro-graph.test/chart/crds

go 1.26.0

require github.com/prometheus-operator/prometheus-operator v0.92.1
