module kro-graph.test/tools/argo-health

go 1.27.0

require (
	github.com/argoproj/argo-cd/v3 v3.6.1
	github.com/yuin/gopher-lua v1.1.2
)
